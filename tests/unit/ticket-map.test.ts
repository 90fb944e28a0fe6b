import { expect, it } from 'vitest';
import { drawTickets } from '../../site/blocks/header/ticket/ticket-map.server.ts';

/** France is so near Germany that the ticket's end in Germany would cover the name of France. */
const MAP = {
  ...{ width: 1_000, height: 500, spacing: 8, dots: '' },
  countries: {
    france: [478, 100],
    germany: [496, 88],
    vietnam: [745, 190],
    peru: [180, 260],
    ghana: [480, 210],
    brazil: [240, 262],
    malaysia: [770, 225],
    chile: [220, 380],
  },
} as const;

const country = (title: string) =>
  ({ title, name: title.toLowerCase(), icon: null, link: null }) as unknown as Parameters<
    typeof drawTickets
  >[2][number];

it('the ticket map omits the name of a country that a ticket or one of its ends would cover', () => {
  const countries = ['France', 'Peru', 'Ghana', 'Brazil', 'Malaysia', 'Chile', 'Germany'].map(country);
  const { names } = drawTickets(MAP, [{ from: 'Germany', to: 'Vietnam' }], countries);
  expect(names.map(({ name }) => name).sort()).toEqual(['Brazil', 'Ghana', 'Malaysia', 'Peru']);
});
