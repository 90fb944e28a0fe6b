import type { CaptureSet } from './fake-backend.ts';

const link = (title: string, href: string) => ({ title, href, icon: null });

const QUESTIONS = [
  {
    question: 'How long does a payout take?',
    answer: [['p', null, ['Up to ', ['strong', null, ['one']], ' business day.']]],
  },
  { question: 'Is there a minimum?', answer: [['p', null, ['Yes: 10\u00a0USD.']]] },
];

/** @returns the landing page expected from decoding the recorded answer of a Strapi version. */
export function recordedLanding(set: CaptureSet): object {
  return {
    id: 'ID',
    title: 'Payments for business',
    description: 'Cards, wallets and local methods through one contract.',
    h1: 'Accept payments in 40 countries',
    // Strapi 4 sends this field as JSON in a string, like the qualities, the questions and `schema1`.
    headerBlock: {
      eyebrow: 'One contract',
      title: 'Accept payments in 40 countries',
      text: 'Cards, wallets and local methods.',
      primary: link('Start now', '#contacts'),
      secondary: link('See the fees', '/blog/guides/accepting-cards-in-spain'),
    },
    paymentsBlock: {
      title: 'Every usual method',
      text: 'Switch them on one by one.',
      link: link('All methods', '/commerce/online-shops'),
    },
    directionsBlock: {
      title: 'What we do',
      text: null,
      items: [
        {
          title: 'Mass payouts',
          text: 'One file, ten thousand people.',
          href: '/business-solutions/payouts',
          icon: '/uploads/payouts.svg',
        },
        {
          title: 'Payment links',
          text: 'No website needed.',
          href: '/business-solutions/payment-links',
          icon: null,
        },
      ],
    },
    // The recorded answer of Strapi 4 has broken JSON here.
    partnersBlock:
      set === 'v4'
        ? null
        : {
            title: 'Partners',
            text: 'Banks and schemes.',
            items: [
              {
                name: 'First Bank',
                logo: '/uploads/first-bank.svg',
                href: 'https://example.com/first-bank',
              },
              { name: 'Second Bank', logo: null, href: null },
            ],
          },
    metricsBlockUsdList: [
      { value: 1_250_000, label: 'paid out a day', note: 'average of the last month' },
      { value: 0.35, label: 'a payout', note: null },
    ],
    metricsBlockPositiveQualities: [
      { title: '99.98 %', text: 'of the year in service' },
      { title: '24/7', text: 'support by people' },
    ],
    // Strapi 4 sends this field as JSON in a string in a string.
    earnMoreBlock: {
      title: 'Earn more',
      text: 'Recommend us.',
      steps: [
        { title: 'Register', text: 'Two minutes.' },
        { title: 'Share your link', text: 'Anywhere.' },
      ],
      link: link('Join', '/about'),
    },
    contactsBlock: {
      title: 'Contacts',
      text: 'Write to us.',
      email: 'office@example.test',
      phone: '+00 000 000',
      address: '1 Example Street',
    },
    faqBlock: { title: 'Questions', items: QUESTIONS },
    contactsListWithCheckmarks: ['An answer within a day', 'No fee for the first month'],
    positionsAndCustomBlocks: [
      { block: 'header' },
      { block: 'metrics' },
      { custom: [['p', null, ['A ', ['em', null, ['custom']], ' block']]], id: 'note' },
      { block: 'countries' },
      { block: 'payments' },
      { block: 'faq' },
      { block: 'contacts' },
    ],
    subscribeBlockSocials: [],
    faqBlockContent: [
      ['h3', { id: 'more' }, ['More']],
      ['p', null, ['Anything else? ', ['a', { href: '#contacts' }, ['Write to us']], '.']],
    ],
    block1Icons: [
      { src: '/uploads/icon.svg', caption: null, alt: '' },
      { src: '/uploads/icon.png', caption: null, alt: 'Card' },
      { src: '/uploads/cover_small.jpg', caption: null, alt: '' },
    ],
    paymentBlockImages: [
      { id: 'ID', title: 'Visa', image: { src: '/uploads/icon.svg' } },
      { id: 'ID', title: 'Mastercard', image: { src: '/uploads/icon.png', alt: 'Card' } },
    ],
    countries_list: [
      { id: 'ID', name: 'spain', title: 'Spain', link: '/spain', image: '/uploads/icon.svg' },
      { id: 'ID', name: 'poland', title: 'Poland', link: '/poland', image: '/uploads/icon.png' },
      {
        id: 'ID',
        name: 'peru',
        title: 'Perú',
        link: 'https://example.com/pe',
        image: '/uploads/icon.svg',
      },
      { id: 'ID', name: 'kenya', title: 'Kenya', link: null, image: '/uploads/icon.png' },
      { id: 'ID', name: 'chile', title: 'Chile', link: null, image: null },
    ],
    schema1:
      '{"@context":"https://schema.org","@type":"Organization","name":"Example","url":"https://example.com"}',
    schema2: '[{"@context":"https://schema.org","@type":"WebSite","name":"Example </script>"}]',
    schema3: null,
  };
}
