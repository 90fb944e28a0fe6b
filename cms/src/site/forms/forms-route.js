const { acceptMessage } = require('./accept-message.js');
const { FORMS, checkMessage } = require('./check-message.js');

const MAX_BYTES = 64 * 1024;
const MAX_KEY_LENGTH = 200;

/** Adds `POST /api/email/send`, unless the project has an API of the name `email`. */
function addFormsRoute(strapi) {
  if (strapi.apis.email) {
    strapi.log.warn('src/api/email answers the messages of the forms: the folder src/site adds no route.');
    return;
  }
  strapi.get('apis').add('email', {
    controllers: { email: { send: ctx => send(strapi, ctx) } },
    routes: { email: { routes: [{ method: 'POST', path: '/email/send', handler: 'email.send' }] } },
  });
}

/**
 * Takes a message, as docs/editors.md describes. The site delivers each message until it gets a 200, so a
 * known key is a 200 as well.
 */
async function send(strapi, ctx) {
  if (!ctx.is('json')) return refuse(ctx, 415, 'The body must be JSON: send Content-Type: application/json.');
  const { body } = ctx.request;
  if (Buffer.byteLength(JSON.stringify(body) ?? '') > MAX_BYTES)
    return refuse(ctx, 413, 'The message is longer than 64 KB.');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(ctx, 400, 'The body must be a JSON object.');
  if (!FORMS.includes(body.form))
    return refuse(ctx, 400, `There is no such form: \`form\` must be one of ${FORMS.join(', ')}.`);
  const key = ctx.get('Idempotency-Key');
  if (!key || key.length > MAX_KEY_LENGTH)
    return refuse(ctx, 400, 'The header Idempotency-Key is missing or too long.');
  const { message, problem } = checkMessage(body);
  if (problem) return refuse(ctx, 422, problem);
  if (!(await acceptMessage(strapi, key, message)))
    return refuse(ctx, 503, 'Another process is mailing this message: post it again.');
  ctx.body = {};
}

function refuse(ctx, status, message) {
  ctx.status = status;
  const name = status < 500 ? 'ValidationError' : 'ApplicationError';
  ctx.body = { data: null, error: { status, name, message, details: {} } };
}

module.exports = { addFormsRoute };
