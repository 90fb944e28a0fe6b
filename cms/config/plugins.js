module.exports = ({ env }) => ({
  'users-permissions': { config: { jwtSecret: env('JWT_SECRET'), jwtManagement: 'refresh' } },
  // Without SMTP_HOST no mail is sent: messages of the forms are entries of the type “Message” alone.
  ...(env('SMTP_HOST') && {
    email: {
      config: {
        provider: 'nodemailer',
        providerOptions: {
          host: env('SMTP_HOST'),
          port: env.int('SMTP_PORT', 587),
          ...(env('SMTP_USERNAME') && {
            auth: { user: env('SMTP_USERNAME'), pass: env('SMTP_PASSWORD') },
          }),
        },
        settings: { defaultFrom: env('MAIL_FROM'), defaultReplyTo: env('MAIL_FROM') },
      },
    },
  }),
});
