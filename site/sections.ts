import { callout } from './sections/callout.section.ts';
import { embed } from './sections/embed.section.ts';
import { gallery } from './sections/gallery.section.ts';
import { media } from './sections/media.section.ts';
import { quote } from './sections/quote.section.ts';
import { text } from './sections/text.section.ts';

export const sections = [text, quote, media, gallery, callout, embed] as const;
