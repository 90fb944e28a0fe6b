import { isCheckedForm } from '../../../shared/forms/form-schema.ts';
import type { Config } from '../../config.ts';

/** A token or a locale. */
const WORD = /^[\w.-]*$/;

/**
 * @returns a function that tells whether fields are such as the site gives to its outbox: those of a form that passes its check, or of a press on a link, with links
 *   to the site alone. Others may be able to write to the queue.
 */
export function createMessageCheck({ publicOrigin }: Pick<Config, 'publicOrigin'>) {
  function isLink(step: string, address: string): boolean {
    const begin = `${publicOrigin}/subscribe/${step}?token=`;
    return address === '' || (address.startsWith(begin) && WORD.test(address.slice(begin.length)));
  }
  return (message: Readonly<Record<string, string>>): boolean => {
    const { confirmUrl = '', leaveUrl = '', language = '', ...fields } = message;
    if (!isLink('confirm', confirmUrl) || !isLink('leave', leaveUrl) || !WORD.test(language)) return false;
    const isPress = fields.form === 'subscribe-confirm' || fields.form === 'subscribe-leave';
    return isCheckedForm(isPress ? { ...fields, form: 'subscribe' } : fields);
  };
}
