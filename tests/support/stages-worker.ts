import { component, type SectionDescription, section } from '../../shared/content/descriptions.ts';
import { sections } from '../../site/sections.ts';

const field = (label: string) => ({ kind: 'text', label }) as const;
const step = component('step', {
  label: 'Step',
  noun: 'a step',
  fields: { title: { ...field('Title'), orElse: ['name'] }, text: field('Text') },
  needs: ['title'],
});
const stages = section('stages', {
  label: 'Steps',
  noun: 'steps',
  fields: { items: { kind: 'list', component: step, label: 'Steps' } },
  read: ({ items = [] }, { element, text, words }) =>
    items.map(item => element('p', [text([words(item.title), words(item.text)].filter(Boolean).join(': '))])),
});

// Add a kind with a list, as an adopter does in `site/sections.ts`.
(sections as unknown as SectionDescription[]).push(stages);

/** Compiles texts as the build's worker does. */
export { default } from '../../server/rich-text/compiling/compile-worker.ts';
