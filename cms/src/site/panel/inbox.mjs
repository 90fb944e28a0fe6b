import { useFetchClient } from '@strapi/strapi/admin';
import { createElement } from 'react';
import { LINK, PLAIN, useAnswer, word } from './widget.mjs';

const LOOK = { ...PLAIN, ...LINK, fontWeight: 600 };

const isInbox = () => location.pathname.includes('/api::message.message');

/** Adds a CSV file to the list of messages, and an answer by mail to each. */
export function addInbox(app) {
  const contentManager = app.getPlugin('content-manager');
  contentManager.injectComponent('listView', 'actions', {
    name: 'site-messages',
    Component: () => (isInbox() ? createElement(ExportMessages) : null),
  });
  contentManager.apis.addEditViewSidePanel([
    function Answer({ model, document }) {
      if (model !== 'api::message.message' || !document?.email) return null;
      return {
        title: word('Answer'),
        content: createElement('a', { href: mailTo(document), style: LOOK }, word('Answer by e-mail')),
      };
    },
  ]);
}

/** @returns an address that opens the mail program with a quotation of the message. */
export function mailTo({ email, topic, message }) {
  const quoted = (message ?? '').split('\n').map(line => `> ${line}`);
  const subject = `Re: ${topic || (message ?? '').split('\n', 1)[0].slice(0, 60)}`;
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`\n\n${quoted.join('\n')}`)}`;
}

/** The number of messages that are not done. */
export function OpenMessages() {
  const found = useAnswer('inbox');
  const open = found === null ? '…' : (found.open ?? '–');
  return createElement(
    'p',
    { style: { fontSize: '1.6rem' } },
    createElement('strong', { style: { fontSize: '3.2rem' } }, open),
    ` ${word('not done')}`,
  );
}

function ExportMessages() {
  const { get } = useFetchClient();
  const save = async () => {
    const { data } = await get('/site/messages');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`\ufeff${data.csv}`], { type: 'text/csv' }));
    link.download = 'messages.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return createElement('button', { type: 'button', onClick: save, style: LOOK }, word('Export as CSV'));
}
