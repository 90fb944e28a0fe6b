import { shownForm } from '../../../server/loading/page-forms.ts';
import type { CompleteBlock } from '../complete-block.server.ts';

/** Leaves out the addressee, which browsers must not get. */
export const completeForm: CompleteBlock<'form'> = (values, { place }) => shownForm(values, place);
