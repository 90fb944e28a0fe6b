import { section } from '../../shared/content/descriptions.ts';
import { caption, poster } from './media.section.ts';

export const embed = section('embed', {
  label: 'Film of another site',
  noun: 'a film of another site',
  fields: {
    href: {
      kind: 'address',
      label: 'Address',
      hint: 'Of a film on YouTube or Vimeo, as the browser shows it',
      orElse: ['url', 'link', 'address'],
    },
    title: { kind: 'text', label: 'Title of the film' },
    poster: { ...poster, orElse: ['image', 'cover'] },
    caption,
  },
  read({ href, title, poster: picture, caption: own }, { words, media, figure, element }) {
    if (href === undefined) return [];
    const name = words(title);
    const shown = media(picture)
      .slice(0, 1)
      .map(medium => medium.shown);
    const properties = { url: String(href), ...(name === null ? {} : { title: name }) };
    return figure([element('oembed', shown, properties)], words(own));
  },
});
