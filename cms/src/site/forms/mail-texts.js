/** The e-mail with the link that confirms, by language. The site says which language the page had. */
const CONFIRM_TEXTS = {
  en: {
    subject: 'Please confirm your subscription',
    text: 'Somebody has entered this address to get our news by e-mail. Open this link and press the button to confirm it:',
    otherwise: 'If it was not you, do nothing: no news will come. This link takes the address off the list:',
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihr Abonnement',
    text: 'Jemand hat diese Adresse eingegeben, um Neues per E-Mail zu bekommen. Öffnen Sie diesen Link und drücken Sie den Knopf, um es zu bestätigen:',
    otherwise:
      'Wenn Sie das nicht waren, tun Sie nichts: Es kommt nichts weiter. Dieser Link nimmt die Adresse von der Liste:',
  },
  ar: {
    subject: 'يرجى تأكيد اشتراكك',
    text: 'أدخل شخص ما هذا العنوان لتصله أخبارنا بالبريد الإلكتروني. افتح هذا الرابط واضغط الزر للتأكيد:',
    otherwise: 'إذا لم تكن أنت فلا تفعل شيئًا: لن تصلك أخبار. هذا الرابط يحذف العنوان من القائمة:',
  },
};

/** The subject of the e-mail to the office, by form. */
const SUBJECTS = {
  contact: ({ name }) => `Message from ${name}`,
  subscribe: ({ email }) => `Subscription: ${email}`,
  'subscribe-confirm': ({ email }) => `Subscription confirmed: ${email}`,
  'subscribe-leave': ({ email }) => `Has left the list: ${email}`,
};

/**
 * @returns the one e-mail of a message; null for none. A subscription that has to be confirmed goes to the
 *   subscriber, with the link, if `MAIL_FROM` says from whom. All other messages go to the office, if
 *   `MAIL_TO` says where that is.
 */
function mailFor(message, { mailTo, mailFrom }) {
  if (message.confirmUrl && mailFrom) return mailToSubscriber(message);
  return mailTo ? mailToOffice(message, mailTo) : null;
}

function mailToSubscriber({ email, language = 'en', confirmUrl, leaveUrl }) {
  const { subject, text, otherwise } = CONFIRM_TEXTS[language.split('-', 1)[0]] ?? CONFIRM_TEXTS.en;
  const lines = [text, '', confirmUrl, ...(leaveUrl ? ['', otherwise, '', leaveUrl] : [])];
  return { to: email, subject, text: lines.join('\n') };
}

function mailToOffice({ form, message, ...fields }, to) {
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}`);
  return {
    to,
    replyTo: fields.email,
    subject: SUBJECTS[form](fields),
    text: [...lines, ...(message ? ['', message] : [])].join('\n'),
  };
}

module.exports = { mailFor };
