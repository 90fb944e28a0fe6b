import type { Labels } from '../../shared/labels/labels.ts';
import type { SubscribePageData } from '../../shared/payload/payload.ts';
import type { LoaderContext, LoaderResult, RouteContent } from './loader.ts';

/**
 * The states of the pages that open by a link of an e-mail: `ask` has the button, `done` the thanks. `used`: the link was pressed before. `wrong`: this
 * site has not signed it.
 */
export type SubscribePageState = 'ask' | 'done' | 'used' | 'expired' | 'wrong' | 'limited' | 'failed';

type SubscribeRoute = 'subscribe-confirm' | 'subscribe-leave';

const STATES: readonly string[] = ['ask', 'done', 'used', 'expired', 'wrong', 'limited', 'failed'];

/** @returns the words of a page in one of its states. */
export function subscribeWords(
  labels: Labels,
  route: SubscribeRoute,
  state: SubscribePageState,
): Omit<SubscribePageData, 'email'> {
  const page = (title: string, text: string, button: string | null = null) => ({ title, text, button });
  if (state === 'wrong') return page(labels.text('linkWrong'), labels.text('linkWrongNote'));
  const leaves = route === 'subscribe-leave';
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

/** @returns the loader of a page whose state `server/forms/subscribe-pages.ts` decides. Without a state the address has no valid token. */
function loaderFor(route: SubscribeRoute) {
  return async ({
    query,
    labels,
  }: Pick<LoaderContext<SubscribeRoute>, 'query' | 'labels'>): Promise<
    Extract<LoaderResult<SubscribeRoute>, { kind: 'page' }>
  > => {
    const state = query.get('state') ?? 'wrong';
    const isState = (text: string): text is SubscribePageState => STATES.includes(text);
    const data = {
      ...subscribeWords(await labels(), route, isState(state) ? state : 'wrong'),
      email: query.get('email'),
    };
    return { kind: 'page', data, head: { title: data.title, noindex: true }, jsonLd: [] };
  };
}

export const subscribeConfirm: RouteContent<'subscribe-confirm'> = {
  load: loaderFor('subscribe-confirm'),
  locations: async () => [],
};

export const subscribeLeave: RouteContent<'subscribe-leave'> = {
  load: loaderFor('subscribe-leave'),
  locations: async () => [],
};
