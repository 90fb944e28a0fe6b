import { section } from '../../shared/content/descriptions.ts';
import { caption } from './media.section.ts';

export const gallery = section('gallery', {
  label: 'Gallery',
  noun: 'a gallery',
  fields: {
    files: {
      kind: 'files',
      label: 'Pictures',
      hint: 'The caption of a file is shown below its picture',
      orElse: ['images', 'media', 'slides'],
      strapi: { allowedTypes: ['images'] },
    },
    caption: { ...caption, orElse: ['title'] },
  },
  read({ files, caption: own }, { words, media, figure }) {
    const pictures = media(files).flatMap(medium => figure([medium.shown], words(medium.caption)));
    return pictures.length === 0 ? [] : figure(pictures, words(own), { dataGallery: '' });
  },
});
