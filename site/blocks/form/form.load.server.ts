import { shownForm } from '../../../server/loading/page-forms.ts';
import type { CompleteBlock } from '../complete-block.server.ts';

/** The addressee stays on the server. */
export const completeForm: CompleteBlock<'form'> = (values, { place }) => shownForm(values, place);
