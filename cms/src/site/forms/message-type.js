/** The messages of forms, as `types.json` would have them. */
const messageType = {
  uid: 'api::message.message',
  label: 'Message of a form',
  storage: 'collection',
  titleField: 'name',
  list: ['createdAt', 'form', 'name', 'email', 'message', 'done'],
  form: [
    ['done'],
    ['form', 'topic'],
    ['name', 'email'],
    ['company', 'language'],
    ['page', 'to'],
    ['message'],
    ['consent'],
    ['confirmedAt', 'leftAt'],
  ],
  groups: [],
  /** Keys and secret links are for the CMS alone. */
  hidden: ['confirmUrl', 'leaveUrl', 'mailedAt', 'mailingSince', 'idempotencyKey'],
  /** Visitors have written the other fields. */
  editable: ['done'],
  labels: {
    done: { label: 'Done', hint: 'The start page counts the messages that are not done' },
    form: { label: 'Kind' },
    topic: { label: 'Topic' },
    name: { label: 'Name' },
    email: { label: 'E-mail address' },
    company: { label: 'Company' },
    page: { label: 'Page', hint: 'The page with the form' },
    to: { label: 'Addressee', hint: 'As the form had it when the message came' },
    language: { label: 'Language' },
    message: { label: 'Message' },
    consent: { label: 'Consent', hint: 'The sentence to which the subscriber has agreed' },
    confirmedAt: { label: 'Confirmed' },
    leftAt: { label: 'Has left the list' },
  },
};

module.exports = { messageType };
