import type { Image } from '../../../shared/content/image.ts';
import type { CompleteBlock } from '../complete-block.server.ts';

export const completePayments: CompleteBlock<'payments'> = ({ images, ...data }) => ({
  ...data,
  images: shownImages(images),
});

export function shownImages(images: readonly { title: string | null; image: Image | null }[]) {
  return images.map(({ title, image }) => ({
    title,
    icon: image?.src ?? null,
    alt: image?.alt || (title ?? ''),
  }));
}
