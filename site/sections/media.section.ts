import { section } from '../../shared/content/descriptions.ts';

export const caption = { kind: 'text', label: 'Caption' } as const;
export const poster = {
  kind: 'picture',
  label: 'Picture',
  hint: 'Shown before the film plays',
} as const;

export const media = section('media', {
  label: 'Picture, film or sound',
  noun: 'a picture, film or sound',
  fields: {
    file: {
      kind: 'file',
      label: 'File',
      hint: 'A picture, a film (MP4, WebM), a sound (MP3, M4A), or another file to download',
      orElse: ['media', 'image', 'video'],
      strapi: { allowedTypes: ['images', 'videos', 'audios', 'files'] },
    },
    caption,
    poster,
    captions: {
      kind: 'file',
      label: 'Captions',
      hint: 'A file in the form WebVTT (.vtt), for those who do not hear the film',
      strapi: { allowedTypes: ['files'] },
    },
  },
  read({ file, caption: own, poster: picture, captions }, { words, media: mediaOf, figure }) {
    const [medium] = mediaOf(file, { poster: picture, captions });
    return medium ? figure([medium.shown], words(own) ?? words(medium.caption)) : [];
  },
});
