import { BackendError } from '../errors.ts';
import { deliveryFailure, setUpRemedy } from '../outbox/delivery-failure.ts';
import type { Ask } from './ask.ts';
import { type Finding, FORMS } from './finding.ts';

/** No form has this name, so the backend refuses the message with 400 and keeps nothing of it. */
const MESSAGE = JSON.stringify({ form: 'doctor' });

/** Posts a message to the route of the forms. A refusal as a message of an unknown form shows that the route works. */
export async function checkEmail(ask: Ask): Promise<Finding[]> {
  const common = { about: 'email', pages: FORMS, isLogged: false } as const;
  try {
    await ask.run((client, signal) => client.postJson('/api/email/send', MESSAGE, signal));
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    const failure = deliveryFailure(error);
    if (failure === 'refused' && error.status !== 415) return [];
    const isSetUp = failure === 'set-up' || error.status === 415;
    return [
      {
        ...common,
        severity: 'error',
        what: `the messages of visitors do not arrive: POST /api/email/send ${error.reason}`,
        remedy: isSetUp ? setUpRemedy(error.status) : 'look for POST /api/email/send in the log of the CMS',
      },
    ];
  }
  return [
    {
      ...common,
      severity: 'warning',
      what: 'POST /api/email/send accepts a message of a form that does not exist, so strangers may send anything',
      remedy: 'let the route check the forms, as that of the project in cms/ does',
    },
  ];
}
