import type { Labels } from '../../shared/labels/labels.ts';
import { siteRoutes } from '../../site/routes.ts';

/** `ask`: shows the button. `done`: thanks. `used`: the button was pressed before. `wrong`: bad signature. */
const STATES = ['ask', 'done', 'used', 'expired', 'wrong', 'limited', 'failed'] as const;
export type SubscribePageState = (typeof STATES)[number];

export type SubscribeRoute = (typeof siteRoutes)['confirmation' | 'leaving'];

export function isSubscribeState(text: string): text is SubscribePageState {
  return STATES.some(state => state === text);
}

/** @returns the words of the page. `button` is null on a page without one. */
export function subscribeWords(labels: Labels, route: SubscribeRoute, state: SubscribePageState) {
  const page = (title: string, text: string, button: string | null = null) => ({ title, text, button });
  if (state === 'wrong') return page(labels.text('linkWrong'), labels.text('linkWrongNote'));
  const leaves = route === siteRoutes.leaving;
  if (state === 'expired')
    return page(labels.text('linkExpired'), labels.text(leaves ? 'leaveExpiredNote' : 'confirmExpiredNote'));
  if (state === 'used')
    return page(labels.text('linkUsed'), labels.text(leaves ? 'leaveUsedNote' : 'confirmUsedNote'));
  if (state === 'done')
    return page(
      labels.text(leaves ? 'left' : 'confirmed'),
      labels.text(leaves ? 'leftNote' : 'confirmedNote'),
    );
  const title = labels.text(leaves ? 'leaveTitle' : 'confirmTitle');
  const button = labels.text(leaves ? 'leaveButton' : 'confirmButton');
  if (state === 'limited') return page(title, labels.text('tooManyPresses'), button);
  if (state === 'failed') return page(title, labels.text('pressNotAccepted'), button);
  return page(title, labels.text(leaves ? 'leaveNote' : 'confirmNote'), button);
}
