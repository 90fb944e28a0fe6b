export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"></svg>';
export const PNG_HEADER = Buffer.from('89504e470d0a1a0a0000000d494844520000004000000020', 'hex');

export const article = (front: string, body = '## Head\n\nText.') => `---\n${front}\n---\n\n${body}\n`;
const questions = [{ question: 'How long?', answer: 'A day.' }];

/**
 * A small content folder. Each type has an entry with all fields, and one without optional fields if the
 * captures have one.
 */
export const TEST_FILES: Record<string, string | Buffer> = {
  'settings.json': JSON.stringify({
    siteName: 'Test',
    headerLinks: [],
    footerLinks: [],
    socials: [],
    customCss: ['custom.css'],
    scripts: ['widget.js'],
  }),
  'landing.json': JSON.stringify({
    title: 'Landing',
    faqBlockContent: '### More',
    schema1: { '@type': 'Organization' },
    block1Icons: ['icon.svg', { file: 'icon.png', alt: 'Card' }],
    countries_list: [
      { name: 'spain', title: 'Spain', link: '/spain', image: 'icon.svg' },
      { name: 'chile', title: 'Chile', link: null, image: null },
    ],
    paymentBlockImages: [
      { name: 'visa', title: 'Visa', image: 'icon.svg' },
      { name: 'cash', title: null, image: null },
    ],
  }),
  'main-page.json': JSON.stringify({ title: 'Blog', description: 'News.', h1: 'Blog', questions }),
  'socials.json': JSON.stringify([{ link: 'https://a.example.com/', icon: 'icon.svg' }, { link: null }]),
  'redirects.json': JSON.stringify([
    { from: '/old', to: '/about', statusCode: 301 },
    { from: '/x', to: '/y' },
  ]),
  'categories/guides.json': JSON.stringify({ order: 1, name: 'Guides', questions }),
  'categories/news.md': article('order: 2\nname: News', 'What has changed.'),
  'authors/jane.md': article('name: Jane Roe\nposition: Editor\nimage: [icon.svg, icon.png]', 'Writes.'),
  'authors/nobody.json': JSON.stringify({ name: 'The editors' }),
  'articles/first.md': article(
    'title: First\nh1: The first\ndescription: One.\ncategory: guides\nauthor: jane\ndate: 2026-01-01\ncover: { file: icon.png, alt: A card }\nquestions:\n  - question: Why?\n    answer: So.',
  ),
  'articles/second.md': article(
    'title: Second\ncategory: guides\nauthor: jane\ndate: 2026-02-01\ncover: icon.svg',
  ),
  'articles/third.md': article('title: Third\nslug: the-third\ncategory: guides\ndate: 2026-03-01'),
  'articles/bare.md': article('title: Bare\ncategory: news\ndate: 2026-04-01', ''),
  'articles/outside.md': article('title: Outside\nauthor: jane\ndate: 2026-05-01'),
  'articles/draft.md': article('title: Draft\ncategory: guides\ndraft: true'),
  'articles/_notes.md': 'not an entry',
  'business-solutions/payouts.md': article('title: Payouts\ncover: icon.svg'),
  'commerce/shops.md': article('title: Shops\ncover: icon.png'),
  'pages/about.md': article('title: About\ncontactForm: true'),
  'uploads/icon.svg': SVG,
  'uploads/icon.png': PNG_HEADER,
  'uploads/deep/box.svg': '<svg viewBox="0 0 30 10.4"></svg>',
  'uploads/custom.css': 'a{}',
  'uploads/widget.js': '//',
};
