const emailController = require('./email-controller.js');

/** Adds `POST /api/email/send`, unless the project has an API of the name `email`. */
function addFormsRoute(strapi) {
  if (strapi.apis.email) {
    strapi.log.warn('src/api/email answers the messages of the forms: the folder src/site adds no route.');
    return;
  }
  strapi.get('apis').add('email', {
    controllers: { email: emailController },
    routes: { email: { routes: [{ method: 'POST', path: '/email/send', handler: 'email.send' }] } },
  });
}

module.exports = { addFormsRoute };
