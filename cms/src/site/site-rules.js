// Written from the sources of the site.
URL.parse ??= (...parts) => URL.canParse(...parts) ? new URL(...parts) : null;
Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
// shared/routing/feed-files.ts
const FEED_FILES = {
	rss: "feed.xml",
	atom: "atom.xml",
	json: "feed.json"
};
const FEED_FORMATS = [
	"rss",
	"atom",
	"json"
];
function feedPath(page, format = "rss") {
	return `${page}/${FEED_FILES[format]}`;
}
// shared/routing/route.ts
const DEFAULTS = {
	layout: "default",
	pageTransition: true,
	layoutTransition: true,
	cardTransition: true,
	middleware: [],
	query: [],
	reads: [],
	readsDevice: false
};
const NOT_ANIMATED = {
	pageTransition: false,
	layoutTransition: false
};
function pagesAt(above, ...former) {
	return {
		path: `${above}/:slug`,
		former
	};
}
function route() {
	return (row) => ({
		...DEFAULTS,
		...row
	});
}
// site/routes/blog/blog.route.ts
const blog = route()({
	id: "blog",
	path: "/blog",
	page: () => import("../site/routes/blog/blog.tsx"),
	load: () => true,
	reads: ["article", "author"],
	skeleton: "cards",
	layout: "blog",
	...NOT_ANIMATED,
	cardTransition: false
});
// site/routes/blog-archive/blog-archive.route.ts
const blogArchive = route()({
	id: "blog-archive",
	path: "/blog/archive",
	page: () => import("../site/routes/blog-archive/blog-archive.tsx"),
	load: () => true,
	reads: ["article"],
	layout: "blog",
	...NOT_ANIMATED
});
// site/routes/blog-archive/archive.ts
const YEAR = /^[12]\d{3}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
// site/routes/blog-archive-month/blog-archive-month.route.ts
const blogArchiveMonth = route()({
	id: "blog-archive-month",
	path: "/blog/archive/:year/:month",
	page: () => import("../site/routes/blog-archive/archive-period.tsx"),
	load: () => true,
	reads: ["article"],
	layout: "blog",
	...NOT_ANIMATED,
	query: ["page"],
	validate: ({ year = "", month = "" }) => YEAR.test(year) && MONTH.test(month)
});
// site/routes/blog-archive-year/blog-archive-year.route.ts
const blogArchiveYear = route()({
	id: "blog-archive-year",
	path: "/blog/archive/:year",
	page: () => import("../site/routes/blog-archive/archive-period.tsx"),
	load: () => true,
	reads: ["article"],
	layout: "blog",
	...NOT_ANIMATED,
	query: ["page"],
	validate: ({ year = "" }) => YEAR.test(year)
});
// site/routes/blog-article/blog-article.route.ts
const blogArticle = route()({
	id: "blog-article",
	path: "/blog/:category/:slug",
	page: () => import("../site/routes/blog-article/blog-article.tsx"),
	load: () => true,
	skeleton: "article",
	layout: "blog",
	layoutTransition: false
});
// site/routes/blog-author/blog-author.route.ts
const blogAuthor = route()({
	id: "blog-author",
	path: "/blog/authors/:slug",
	page: () => import("../site/routes/blog-author/blog-author.tsx"),
	load: () => true,
	reads: ["article"],
	layout: "blog",
	...NOT_ANIMATED,
	query: ["page"]
});
// site/routes/blog-category/blog-category.route.ts
const blogCategory = route()({
	id: "blog-category",
	path: "/blog/:category",
	page: () => import("../site/routes/blog-category/blog-category.tsx"),
	load: () => true,
	reads: ["article"],
	skeleton: "cards",
	layout: "blog",
	...NOT_ANIMATED,
	cardTransition: false,
	middleware: ["check-blog-category"],
	query: ["page"]
});
// site/routes/blog-tag/blog-tag.route.ts
const blogTag = route()({
	id: "blog-tag",
	path: "/blog/tags/:slug",
	page: () => import("../site/routes/blog-tag/blog-tag.tsx"),
	load: () => true,
	reads: ["article"],
	layout: "blog",
	...NOT_ANIMATED,
	query: ["page"]
});
// site/routes/business-solution/business-solution.route.ts
const businessSolution$1 = route()({
	id: "business-solution",
	...pagesAt("/business-solutions"),
	page: () => import("../site/routes/business-solution/business-solution.tsx"),
	load: () => true,
	reads: [
		"article",
		"author",
		"category"
	],
	skeleton: "article"
});
// site/routes/commerce/commerce.route.ts
const commerce$1 = route()({
	id: "commerce",
	...pagesAt("/commerce"),
	page: () => import("../site/routes/commerce/commerce.tsx"),
	load: () => true,
	reads: [
		"article",
		"author",
		"category"
	],
	skeleton: "article"
});
// site/routes/home/home.route.ts
const home = route()({
	id: "home",
	path: "/",
	page: () => import("../site/routes/home/home.tsx"),
	load: () => true
});
// site/routes/page/page.route.ts
const page$1 = route()({
	id: "page",
	path: "/:slug",
	page: () => import("../site/routes/page/page.tsx"),
	load: () => true,
	reads: [
		"article",
		"author",
		"category"
	]
});
// site/routes.ts
const routes = [
	home,
	blog,
	blogCategory,
	blogArticle,
	blogAuthor,
	blogTag,
	blogArchive,
	blogArchiveYear,
	blogArchiveMonth,
	businessSolution$1,
	commerce$1,
	route()({
		id: "search",
		path: "/search",
		page: () => import("../site/routes/search/search.tsx"),
		load: () => true,
		query: [
			"q",
			"type",
			"category",
			"page"
		],
		answersQueries: true
	}),
	route()({
		id: "subscribe-confirm",
		path: "/subscribe/confirm",
		page: () => import("../site/routes/subscribe-confirm/subscribe-confirm.tsx"),
		load: () => true,
		opensByToken: true,
		query: ["state"]
	}),
	route()({
		id: "subscribe-leave",
		path: "/subscribe/leave",
		page: () => import("../site/routes/subscribe-confirm/subscribe-confirm.tsx"),
		load: () => true,
		opensByToken: true,
		query: ["state"]
	}),
	page$1
];
const siteRoutes = {
	home: "home",
	page: "page",
	search: "search",
	blog: "blog",
	category: "blog-category",
	article: "blog-article",
	author: "blog-author",
	tag: "blog-tag",
	confirmation: "subscribe-confirm",
	leaving: "subscribe-leave"
};
const siteRedirects = [
	{
		id: "site:index",
		from: "/index.html",
		to: "/",
		statusCode: 308
	},
	{
		id: "site:feed",
		from: "/feed",
		to: "/blog/feed.xml",
		statusCode: 308
	},
	{
		id: "site:feed-xml",
		from: "/feed.xml",
		to: "/blog/feed.xml",
		statusCode: 308
	},
	{
		id: "site:atom",
		from: "/atom.xml",
		to: "/blog/atom.xml",
		statusCode: 308
	},
	{
		id: "site:json-feed",
		from: "/feed.json",
		to: "/blog/feed.json",
		statusCode: 308
	},
	{
		id: "site:rss",
		from: "/rss.xml",
		to: "/blog/feed.xml",
		statusCode: 308
	},
	{
		id: "site:blog-feed",
		from: "/blog/feed",
		to: "/blog/feed.xml",
		statusCode: 308
	},
	...routes.flatMap((route) => ("former" in route ? route.former : []).map((former) => ({
		id: `site:former:${former}`,
		from: `${former}/**`,
		to: route.path.replace(/:slug$/, "**"),
		statusCode: 308
	})))
];
// shared/content/descriptions.ts
function componentOf(field) {
	return "component" in field ? field.component ?? null : null;
}
function isMany(field) {
	const { kind } = field;
	if (kind === "list" || kind === "texts" || kind === "navigation" || kind === "zone") return true;
	return kind === "files" || kind === "labelled-files" || "many" in field && field.many === true;
}
function hasContent(value) {
	return Array.isArray(value) ? value.length > 0 : value !== null && value !== void 0;
}
function component(name, own) {
	return {
		name,
		path: null,
		storage: "component",
		file: null,
		...own
	};
}
function block(name, own) {
	return {
		name,
		...own
	};
}
function section(kind, own) {
	const words = own;
	return {
		...component(`${kind}-section`, words),
		read: own.read
	};
}
// site/components.ts
const text$2 = {
	kind: "text",
	label: "Text",
	long: true
};
const title$1 = {
	kind: "text",
	label: "Title"
};
const icon = {
	kind: "file",
	label: "Icon"
};
const href = {
	kind: "address",
	label: "Address",
	hint: "A path such as /about, https://…, mailto:… or tel:…",
	noun: "address"
};
const picture = {
	kind: "file",
	label: "Picture",
	hint: "A portrait or a drawing, shown small below or beside the heading",
	optional: "the block has no picture"
};
const IN_ORDER = "In the order of the page: drag to sort";
const linkFields = {
	title: title$1,
	href: {
		...href,
		orElse: ["link"]
	},
	icon
};
const link = component("link", {
	label: "Link",
	noun: "a link",
	needs: ["title", "href"],
	fields: {
		...linkFields,
		text: {
			kind: "text",
			label: "Sentence",
			hint: "Only below a link of the header: what visitors find there, in ten words or less"
		}
	}
});
const offer = component("offer", {
	label: "Offer",
	noun: "an offer",
	needs: ["title", "href"],
	fields: {
		title: {
			kind: "text",
			label: "Words of the button",
			hint: "Two or three, such as “Talk to us”"
		},
		href,
		text: {
			...text$2,
			label: "Sentence",
			hint: "What a visitor gets, shown beside the button"
		}
	}
});
const navigationLink = component("navigation-link", {
	label: "Link with links below it",
	noun: "a link of the navigation",
	fields: {
		...linkFields,
		children: {
			kind: "list",
			component: link,
			label: "Links below it",
			hint: "The menu of the header shows the first one large, if it has a sentence. Its icon may be a picture"
		}
	}
});
const question = component("question", {
	label: "Question",
	noun: "a question",
	needs: ["question", "answer"],
	fields: {
		question: {
			kind: "text",
			label: "Question"
		},
		answer: {
			kind: "rich-text",
			label: "Answer"
		}
	}
});
const titledText = component("titled-text", {
	label: "Text with a title",
	noun: "a text with a title",
	needsOneOf: ["title", "text"],
	fields: {
		title: title$1,
		text: text$2
	}
});
const fact = component("fact", {
	label: "Fact",
	noun: "a fact",
	needs: ["title", "text"],
	fields: {
		title: {
			kind: "text",
			label: "What it is",
			hint: "Such as Price, Arrival, Limit"
		},
		text: {
			kind: "text",
			label: "Value",
			hint: "A few words, such as “from 0.35 USD”"
		}
	}
});
const seo$1 = component("seo", {
	label: "Search engines",
	noun: "a set of values for search engines",
	fields: {
		metaTitle: {
			kind: "text",
			label: "Title for search engines",
			hint: "Only if it differs from the title"
		},
		metaDescription: {
			kind: "text",
			label: "Description for search engines",
			hint: "Only if it differs from the description",
			long: true
		},
		metaImage: {
			kind: "picture",
			label: "Picture of shared links",
			hint: "Without it, shared links show the cover"
		},
		canonicalURL: {
			kind: "address",
			label: "Canonical address",
			hint: "Only if the text was first published elsewhere: the address of that page"
		},
		metaRobots: {
			kind: "text",
			label: "Rules for search engines",
			hint: "noindex hides the page from search engines, from the sitemap and from feeds"
		}
	}
});
// site/blocks/call-to-action/call-to-action.block.ts
const callToAction = block("callToAction", {
	label: "Block “Call to action”",
	noun: "a call to action",
	fields: {
		title: title$1,
		text: text$2,
		primary: {
			kind: "object",
			component: link,
			label: "First button"
		},
		secondary: {
			kind: "object",
			component: link,
			label: "Second button"
		}
	},
	needsOneOf: ["title", "text"]
});
// site/blocks/contacts/contacts.block.ts
const checkmark = component("checkmark", {
	label: "Line with a check mark",
	noun: "a line with a check mark",
	fields: { text: {
		kind: "text",
		label: "Text"
	} }
});
const contacts = block("contacts", {
	label: "Block “Contacts”",
	noun: "a block of contacts",
	fields: {
		title: title$1,
		text: text$2,
		picture,
		email: {
			kind: "text",
			label: "E-mail address"
		},
		phone: {
			kind: "text",
			label: "Telephone number"
		},
		address: {
			kind: "text",
			label: "Postal address"
		},
		topics: {
			kind: "text",
			long: true,
			label: "Topics",
			hint: "One in each line: visitors choose among them. Without topics they type one"
		}
	},
	beside: { checkmarks: {
		wire: "contactsListWithCheckmarks",
		kind: "texts",
		component: checkmark,
		many: true,
		label: "Block “Contacts”: list with check marks"
	} },
	hasForm: "once"
});
// site/blocks/countries/countries.block.ts
const countries = block("countries", {
	label: "Block “Countries”",
	noun: "a block of countries",
	beside: { countries: {
		wire: "countries_list",
		kind: "relation",
		target: "country",
		many: true,
		label: "Block “Countries”",
		hint: "In the order of the page: drag to sort"
	} },
	needsOneOf: ["countries"]
});
const directions = block("directions", {
	label: "Block “Directions”",
	noun: "a block of directions",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: component("direction", {
				label: "Direction",
				noun: "a direction",
				needs: ["title"],
				fields: {
					title: title$1,
					text: text$2,
					href,
					icon
				}
			}),
			label: "Items",
			hint: IN_ORDER
		}
	},
	needsOneOf: ["title", "items"]
});
// site/blocks/download/download.block.ts
const download = block("download", {
	label: "Block “Download”",
	noun: "a block of files",
	fields: {
		title: title$1,
		text: text$2,
		files: {
			kind: "labelled-files",
			label: "Files",
			hint: "PDF files and pictures. The caption of a file is its name on the page"
		}
	},
	needsOneOf: ["files"]
});
// site/blocks/earn-more/earn-more.block.ts
const earnMore = block("earnMore", {
	label: "Block “Earn more”",
	noun: "a block about earning",
	fields: {
		title: title$1,
		text: text$2,
		picture,
		steps: {
			kind: "list",
			component: titledText,
			noun: "step",
			label: "Steps",
			hint: IN_ORDER
		},
		link: {
			kind: "object",
			component: link,
			label: "Button"
		}
	},
	needsOneOf: [
		"title",
		"text",
		"steps"
	]
});
// site/blocks/faq/faq.block.ts
const faq = block("faq", {
	label: "Block “Questions”",
	noun: "a block of questions",
	fields: {
		title: title$1,
		picture,
		items: {
			kind: "list",
			component: question,
			label: "Items",
			hint: IN_ORDER
		}
	},
	beside: { content: {
		wire: "faqBlockContent",
		kind: "rich-text",
		noun: "text in faqBlockContent",
		label: "Block “Questions”: text beside the questions"
	} },
	needsOneOf: ["items", "content"],
	standsAlone: true
});
const form = block("form", {
	label: "Block “Form”",
	noun: "a form",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: component("form-field", {
				label: "Field of a form",
				noun: "a field of a form",
				needs: ["label"],
				fields: {
					label: {
						kind: "text",
						label: "Label",
						hint: "What visitors shall fill in, such as “Your telephone”"
					},
					input: {
						kind: "choice",
						of: [
							"text",
							"long-text",
							"email",
							"telephone",
							"choice",
							"checkbox"
						],
						label: "Kind",
						hint: "Without one it is a text of one line"
					},
					needed: {
						kind: "flag",
						label: "Must be filled in"
					},
					hint: {
						kind: "text",
						label: "Hint",
						hint: "Shown below the label"
					},
					options: {
						kind: "text",
						long: true,
						isCode: true,
						label: "Choices",
						hint: "One in each line, for a choice"
					}
				}
			}),
			label: "Fields",
			hint: IN_ORDER
		},
		addressee: {
			kind: "text",
			isCode: true,
			label: "Addressee",
			hint: "The e-mail address that gets the messages. No page shows it. Without one it is that of the contact form",
			strapi: { type: "email" }
		},
		button: {
			kind: "text",
			label: "Words of the button",
			hint: "Two or three, such as “Send the request”"
		},
		thanks: {
			kind: "text",
			label: "Thanks",
			hint: "Shown after a message was sent"
		}
	},
	needsOneOf: ["items"],
	hasForm: "many"
});
// site/blocks/header/header.block.ts
const headerKinds = [
	"ticket",
	"picture",
	"film",
	"figures",
	"map",
	"plain"
];
const ticket = component("ticket", {
	label: "Ticket",
	noun: "a ticket",
	titleField: "title",
	needs: ["title", "amount"],
	fields: {
		title: {
			kind: "text",
			label: "Title",
			hint: "On the button that shows the ticket, such as Germany → Vietnam"
		},
		amountLabel: {
			kind: "text",
			label: "Words above the amount"
		},
		amount: {
			kind: "text",
			label: "Amount",
			hint: "In large letters"
		},
		by: {
			kind: "text",
			label: "Line below the amount",
			hint: "Such as the hour of arrival"
		},
		lines: {
			kind: "list",
			component: titledText,
			label: "Lines",
			hint: IN_ORDER
		},
		from: {
			kind: "text",
			label: "From",
			hint: "A country: the map behind the ticket joins both"
		},
		to: {
			kind: "text",
			label: "To",
			hint: "A country"
		}
	}
});
const header = block("header", {
	label: "First block",
	noun: "the first block",
	fields: {
		kind: {
			kind: "choice",
			of: headerKinds,
			label: "Kind",
			hint: "Empty: a map of the world if it has a place of a country of this page, else plain. A kind without its content is plain, too"
		},
		eyebrow: {
			kind: "text",
			label: "Line above the title"
		},
		title: title$1,
		text: text$2,
		primary: {
			kind: "object",
			component: link,
			label: "First button"
		},
		tickets: {
			kind: "list",
			component: ticket,
			label: "Tickets",
			hint: "For the kind “ticket”: what a visitor gets, each with a button. The first is shown at first",
			optional: "the first block shows no tickets"
		},
		secondary: {
			kind: "object",
			component: link,
			label: "Second button"
		},
		picture: {
			kind: "picture",
			label: "Picture",
			hint: "For the kind “picture”. A film shows it before it plays",
			placeWidth: 1640,
			optional: "the first block shows no picture"
		},
		film: {
			kind: "file",
			label: "Film",
			hint: "For the kind “film”: MP4 or WebM. It plays when a visitor starts it",
			optional: "the first block shows no film",
			strapi: { allowedTypes: ["videos"] }
		},
		captions: {
			kind: "file",
			label: "Captions",
			hint: "A file in the form WebVTT (.vtt), for those who do not hear the film",
			optional: "the film of the first block has no captions",
			strapi: { allowedTypes: ["files"] }
		},
		figures: {
			kind: "list",
			component: fact,
			label: "Figures",
			hint: "For the kind “figures”: two to four, the value in large letters",
			optional: "the first block shows no figures"
		}
	},
	byKind: {
		ticket: ["tickets"],
		map: ["countries_list"],
		picture: ["picture"],
		film: [
			"film",
			"picture",
			"captions"
		],
		figures: ["figures"]
	},
	beside: { icons: {
		wire: "block1Icons",
		kind: "labelled-files",
		label: "First block: icons",
		hint: "The caption of a file is the text beside its icon"
	} }
});
const metrics = block("metrics", {
	label: "Block “Figures”",
	noun: "a block of figures",
	beside: {
		usd: {
			wire: "metricsBlockUsdList",
			kind: "list",
			component: component("usd-metric", {
				label: "Amount",
				noun: "a figure",
				needs: ["value"],
				fields: {
					value: {
						kind: "number",
						label: "Amount",
						noun: "number",
						strapi: { type: "float" }
					},
					label: {
						kind: "text",
						label: "Text below the amount"
					},
					note: {
						kind: "text",
						label: "Note",
						hint: "Small print"
					}
				}
			}),
			label: "Block “Figures”: amounts",
			hint: "In the currency of the settings"
		},
		qualities: {
			wire: "metricsBlockPositiveQualities",
			kind: "list",
			component: titledText,
			label: "Block “Figures”: qualities"
		}
	},
	needsOneOf: ["usd", "qualities"]
});
const partners = block("partners", {
	label: "Block “Partners”",
	noun: "a block of partners",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: component("partner", {
				label: "Partner",
				noun: "a partner",
				needs: ["name"],
				fields: {
					name: {
						kind: "text",
						label: "Name"
					},
					logo: {
						kind: "file",
						label: "Logo"
					},
					href
				}
			}),
			label: "Items",
			hint: IN_ORDER
		}
	},
	needsOneOf: ["items"]
});
// site/blocks/payments/payments.block.ts
const paymentImage = component("payment-image", {
	label: "Payment method",
	noun: "a payment method",
	needsOneOf: ["title", "image"],
	fields: {
		name: {
			kind: "text",
			label: "Name"
		},
		title: title$1,
		image: {
			kind: "picture",
			label: "Picture"
		}
	}
});
const payments = block("payments", {
	label: "Block “Payment methods”",
	noun: "a block of payment methods",
	fields: {
		title: title$1,
		text: text$2,
		link: {
			kind: "object",
			component: link,
			label: "Button"
		}
	},
	beside: { images: {
		wire: "paymentBlockImages",
		kind: "component",
		component: paymentImage,
		many: true,
		noun: "logo",
		label: "Block “Payment methods”: pictures"
	} },
	needsOneOf: [
		"title",
		"text",
		"images"
	]
});
const people = block("people", {
	label: "Block “People”",
	noun: "a block of people",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: component("person", {
				label: "Person",
				noun: "a person",
				needs: ["name"],
				fields: {
					name: {
						kind: "text",
						label: "Name"
					},
					position: {
						kind: "text",
						label: "Position"
					},
					text: text$2,
					picture: {
						kind: "picture",
						label: "Picture"
					},
					href
				}
			}),
			label: "People",
			hint: IN_ORDER
		}
	},
	needsOneOf: ["items"]
});
// site/blocks/steps/steps.block.ts
const steps = block("steps", {
	label: "Block “Steps”",
	noun: "a block of steps",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: titledText,
			label: "Steps",
			hint: IN_ORDER
		}
	},
	needsOneOf: ["items"]
});
// site/blocks/subscribe/subscribe.block.ts
const subscribe = block("subscribe", {
	label: "Block “Subscribe”",
	noun: "a block of social networks"
});
// site/blocks/table/table.block.ts
const table = block("table", {
	label: "Block “Table”",
	noun: "a block with a table",
	fields: {
		title: title$1,
		text: text$2,
		rows: {
			kind: "text",
			label: "Rows",
			hint: "One row in each line, its cells divided by | or a tab: cells of a spreadsheet can be pasted. The first row has the headings",
			long: true
		}
	},
	needsOneOf: ["rows"]
});
const voices = block("voices", {
	label: "Block “Voices of customers”",
	noun: "a block of voices",
	fields: {
		title: title$1,
		text: text$2,
		items: {
			kind: "list",
			component: component("voice", {
				label: "Voice of a customer",
				noun: "a voice of a customer",
				needs: ["words", "name"],
				fields: {
					words: {
						kind: "text",
						label: "Words",
						long: true
					},
					name: {
						kind: "text",
						label: "Name"
					},
					position: {
						kind: "text",
						label: "Position"
					},
					picture: {
						kind: "picture",
						label: "Portrait or logo"
					},
					figure: {
						kind: "text",
						label: "Figure",
						hint: "What has changed, such as “40 hours are 3”"
					}
				}
			}),
			label: "Voices",
			hint: IN_ORDER
		}
	},
	needsOneOf: ["items"]
});
// site/blocks.ts
const blocks = [
	header,
	countries,
	payments,
	directions,
	partners,
	metrics,
	earnMore,
	contacts,
	faq,
	subscribe
];
const pageBlocks = [
	steps,
	table,
	people,
	voices,
	download,
	callToAction,
	payments,
	directions,
	partners,
	metrics,
	earnMore,
	contacts,
	form,
	faq
];
// shared/content/rich-text-tags.ts
const HEADING_TAGS = [
	"h2",
	"h3",
	"h4",
	"h5",
	"h6"
];
const BLOCK_TAGS = "p h2 h3 h4 h5 h6 ul ol li blockquote pre table caption thead tbody tfoot tr th td figure figcaption hr details summary dl dt dd aside video audio oembed".split(" ");
"a img br code em strong s u sub sup mark small abbr kbd del ins cite q input track".split(" ");
const CALLOUT_TONES = [
	"note",
	"tip",
	"warning"
];
const TONES = {
	important: "note",
	caution: "warning"
};
function toneOf(name) {
	const word = name.toLowerCase();
	return CALLOUT_TONES.find((tone) => tone === word) ?? TONES[word] ?? null;
}
// site/sections/callout.section.ts
const callout = section("callout", {
	label: "Callout",
	noun: "a callout",
	fields: {
		tone: {
			kind: "choice",
			of: CALLOUT_TONES,
			label: "Kind",
			hint: "note, tip or warning",
			orElse: ["type", "variant"]
		},
		title: title$1,
		body: {
			kind: "rich-text",
			label: "Text",
			orElse: ["text", "content"]
		}
	},
	read({ tone, title: name, body }, { richText, words, leaveOut, quoted, text, element }) {
		const shownTitle = words(name);
		const shown = [...shownTitle === null ? [] : [element("p", [element("strong", [text(shownTitle)])])], ...richText(body)];
		const known = toneOf(String(tone ?? "note"));
		if (known === null) leaveOut(`the kind ${quoted(tone)} is none of note, tip and warning: it is shown as a note`);
		return shown.length === 0 ? [] : [element("aside", shown, { dataTone: known ?? "note" })];
	}
});
// site/sections/media.section.ts
const caption = {
	kind: "text",
	label: "Caption"
};
const poster = {
	kind: "picture",
	label: "Picture",
	hint: "Shown before the film plays"
};
const media$1 = section("media", {
	label: "Picture, film or sound",
	noun: "a picture, film or sound",
	fields: {
		file: {
			kind: "file",
			label: "File",
			hint: "A picture, a film (MP4, WebM), a sound (MP3, M4A), or another file to download",
			orElse: [
				"media",
				"image",
				"video"
			],
			strapi: { allowedTypes: [
				"images",
				"videos",
				"audios",
				"files"
			] }
		},
		caption,
		poster,
		captions: {
			kind: "file",
			label: "Captions",
			hint: "A file in the form WebVTT (.vtt), for those who do not hear the film",
			strapi: { allowedTypes: ["files"] }
		}
	},
	read({ file, caption: own, poster: picture, captions }, { words, media: mediaOf, figure }) {
		const [medium] = mediaOf(file, {
			poster: picture,
			captions
		});
		return medium ? figure([medium.shown], words(own) ?? words(medium.caption)) : [];
	}
});
// site/sections/embed.section.ts
const embed = section("embed", {
	label: "Film of another site",
	noun: "a film of another site",
	fields: {
		href: {
			kind: "address",
			label: "Address",
			hint: "Of a film on YouTube or Vimeo, as the browser shows it",
			orElse: [
				"url",
				"link",
				"address"
			]
		},
		title: {
			kind: "text",
			label: "Title of the film"
		},
		poster: {
			...poster,
			orElse: ["image", "cover"]
		},
		caption
	},
	read({ href, title, poster: picture, caption: own }, { words, media, figure, element }) {
		if (href === void 0) return [];
		const name = words(title);
		return figure([element("oembed", media(picture).slice(0, 1).map((medium) => medium.shown), {
			url: String(href),
			...name === null ? {} : { title: name }
		})], words(own));
	}
});
// site/sections/gallery.section.ts
const gallery = section("gallery", {
	label: "Gallery",
	noun: "a gallery",
	fields: {
		files: {
			kind: "files",
			label: "Pictures",
			hint: "The caption of a file is shown below its picture",
			orElse: [
				"images",
				"media",
				"slides"
			],
			strapi: { allowedTypes: ["images"] }
		},
		caption: {
			...caption,
			orElse: ["title"]
		}
	},
	read({ files, caption: own }, { words, media, figure }) {
		const pictures = media(files).flatMap((medium) => figure([medium.shown], words(medium.caption)));
		return pictures.length === 0 ? [] : figure(pictures, words(own), { dataGallery: "" });
	}
});
// site/sections/quote.section.ts
const quote = section("quote", {
	label: "Quotation",
	noun: "a quotation",
	fields: {
		text: {
			...text$2,
			orElse: ["body", "quote"]
		},
		name: {
			kind: "text",
			label: "Name",
			orElse: ["title", "author"]
		},
		position: {
			kind: "text",
			label: "Position",
			hint: "Such as “Head of payouts”"
		},
		href: {
			...href,
			orElse: ["url"]
		}
	},
	read({ text: quotation, name, position, href: address }, { richText, words, text: plain, element }) {
		const shown = richText(quotation);
		if (shown.length === 0) return [];
		const source = [words(name), words(position)].filter((word) => word !== null).join(", ");
		if (source === "" && address === void 0) return [element("blockquote", shown)];
		const cited = address === void 0 ? plain(source) : element("a", [plain(source || String(address))], { href: String(address) });
		return [element("blockquote", [...shown, element("p", [element("cite", [cited])])])];
	}
});
// site/sections.ts
const sections$1 = [
	section("text", {
		label: "Text",
		noun: "a text",
		fields: { body: {
			kind: "rich-text",
			label: "Text",
			orElse: ["text", "content"]
		} },
		read: ({ body }, { richText }) => richText(body)
	}),
	quote,
	media$1,
	gallery,
	callout,
	embed
];
// shared/content/landing-fields.ts
const OWN_TEXT = "ownText";
function ownFieldOf({ name }) {
	return `${name}Block`;
}
function landingFields(blocks) {
	const fields = blocks.flatMap((block) => [...block.fields ? [[ownFieldOf(block), ownField(block, block.fields)]] : [], ...Object.values(block.beside ?? {}).map((field) => [field.wire, {
		...field,
		group: block.label
	}])]);
	return Object.fromEntries(fields);
}
function ownField({ name, label, noun }, fields) {
	return {
		kind: "object",
		label,
		group: label,
		component: component(`${kebabOf(name)}-block`, {
			label,
			noun,
			fields
		})
	};
}
function kebabOf(name) {
	return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
// shared/content/zone-kinds.ts
function zoneComponent(kind) {
	return `${kebabOf(kind)}-section`;
}
function wholeBlock({ name, label, noun, fields, beside, needsOneOf }) {
	const kind = {
		name: zoneComponent(name),
		path: null,
		storage: "component",
		file: null
	};
	const all = {
		...fields,
		...beside
	};
	return {
		...kind,
		label,
		noun,
		fields: all,
		...needsOneOf && { needsOneOf }
	};
}
const blocks$1 = pageBlocks.map((block) => ({
	block,
	component: wholeBlock(block)
}));
function zoneBlock(item) {
	const name = typeof item === "object" && item !== null && "__component" in item && item.__component;
	return blocks$1.find(({ component }) => `site.${component.name}` === name);
}
const zoneComponents = [...sections$1, ...blocks$1.map(({ component }) => component)];
// site/types/fields.ts
const NO_TAGS = "articles show no tags, and there are no pages of tags";
const title = {
	kind: "text",
	label: "Title",
	hint: "In lists and in the tab of the browser"
};
const description = {
	kind: "text",
	label: "Description",
	hint: "Below the heading, in lists and for search engines",
	long: true
};
const h1 = {
	kind: "text",
	label: "Heading",
	hint: "Only if the heading of the page differs from the title"
};
const heading = {
	title: {
		...title,
		hint: "In the tab of the browser"
	},
	description,
	h1
};
const name = {
	kind: "text",
	label: "Name",
	required: true
};
const slug = {
	kind: "slug",
	label: "Address",
	hint: "The end of the page’s address. It follows the title until the page is published",
	required: true
};
const questions = {
	kind: "list",
	component: question,
	label: "Questions and answers",
	hint: "Shown below the text"
};
const cta = {
	kind: "object",
	component: offer,
	label: "Offer",
	hint: "Only if it differs from the offer of the settings"
};
const contactForm = {
	kind: "flag",
	label: "Show the contact form",
	hint: "Above the text of a page, and below that of a product"
};
const contactPerson = {
	kind: "text",
	label: "Contact person",
	hint: "Who answers the contact form, in place of the person of the settings: the name of an author"
};
const links = {
	kind: "list",
	component: link
};
const SEARCH_ENGINES = "Search engines";
const formerSeo = {
	group: SEARCH_ENGINES,
	former: true
};
const seo = {
	kind: "component",
	component: seo$1,
	label: SEARCH_ENGINES,
	group: SEARCH_ENGINES,
	hint: "Only where the values of the page itself do not fit",
	optional: "its entries cannot name a canonical address, and cannot be hidden from search engines"
};
const seoImage = {
	kind: "picture",
	label: "Picture of shared links",
	hint: "From earlier: a picture in the group above counts",
	...formerSeo,
	optional: "shared links to its pages show the cover, or no picture"
};
const previousSlugs = {
	kind: "lines",
	label: "Former addresses",
	hint: "The last part of each former address, one in each line: visitors who ask for it are sent to the present one"
};
const order = {
	kind: "order",
	label: "Place in the list",
	hint: "The smallest number comes first. Entries without one come last"
};
const shownDates = {
	publishAt: {
		kind: "moment",
		label: "Shown from",
		hint: "Published, but not shown before this moment. Empty: at once",
		group: "Plan ahead"
	},
	unpublishAt: {
		kind: "moment",
		label: "Shown until",
		hint: "No longer shown from this moment on. Empty: for ever",
		group: "Plan ahead"
	}
};
const inLists = {
	inLists: true,
	optional: "its entries appear and disappear by no date"
};
const listedDates = {
	publishAt: {
		...shownDates.publishAt,
		...inLists
	},
	unpublishAt: {
		...shownDates.unpublishAt,
		...inLists
	}
};
const updatedAt = {
	kind: "date",
	label: "Last change",
	inLists: true
};
const cover = {
	kind: "picture",
	label: "Cover",
	inLists: true,
	placeWidth: 800
};
const inForm = [
	["title", "slug"],
	["description"],
	["body"]
];
const pageForm = [...inForm, ["sections"]];
const listedForm = [
	...inForm,
	["cover", "order"],
	["facts"],
	["sections"],
	["cta"],
	["contactForm", "contactPerson"]
];
const sections = {
	kind: "zone",
	of: zoneComponents.map(({ name }) => name),
	label: "Sections",
	hint: "Shown after the text, in this order: quotations, pictures, films, callouts, and blocks such as steps. Drag to sort",
	optional: "texts have no sections such as galleries and callouts"
};
const textPage = {
	title: {
		...title,
		required: true,
		inLists: true
	},
	description: {
		...description,
		inLists: true
	},
	h1,
	slug: {
		...slug,
		inLists: true
	},
	body: {
		kind: "rich-text",
		label: "Text",
		followedBy: "sections"
	},
	sections,
	questions,
	seoTitle: {
		kind: "text",
		label: "Title for search engines",
		hint: "From earlier: a title in the group above counts",
		...formerSeo
	},
	seoDescription: {
		kind: "text",
		label: "Description for search engines",
		hint: "From earlier: a description in the group above counts",
		long: true,
		...formerSeo
	},
	seo,
	previousSlugs,
	...listedDates
};
const sitePage = {
	...textPage,
	cta,
	seo: {
		...seo,
		inLists: ["metaRobots"]
	}
};
const listedPage = {
	...sitePage,
	facts: {
		kind: "list",
		component: fact,
		label: "Facts",
		hint: "Price, arrival, limits: shown below the heading. Three or four"
	},
	contactForm,
	contactPerson,
	updatedAt,
	cover,
	seoImage,
	order: {
		...order,
		inLists: true,
		optional: "its entries stand in the order of their creation"
	}
};
// site/types/article/article.type.ts
const article = {
	path: "articles",
	storage: "collection",
	file: "articles/",
	label: "Article",
	noun: "an article",
	drafts: true,
	route: "blog-article",
	list: [
		"title",
		"category",
		"author",
		"date"
	],
	form: [
		["title", "category"],
		["description"],
		["body"],
		["cover"],
		["author", "tags"],
		["slug", "date"],
		["sections"]
	],
	fields: {
		...textPage,
		date: {
			kind: "date",
			label: "Date",
			hint: "Shown, and sorts the lists. The article is not shown before it. Set at the first publication if it is empty",
			required: true,
			orElse: ["publishedAt", "createdAt"],
			inLists: true,
			optional: "lists and feeds show the day on which an article was published last"
		},
		updatedAt,
		cover,
		seoImage,
		category: {
			kind: "relation",
			target: "category",
			label: "Category",
			hint: "An article without a category has no address and is not shown",
			reads: ["name", "slug"],
			inLists: true
		},
		author: {
			kind: "relation",
			target: "author",
			label: "Author",
			inLists: true
		},
		tags: {
			kind: "relation",
			target: "tag",
			many: true,
			label: "Tags",
			hint: "Each tag has a page with its articles",
			optional: NO_TAGS
		}
	}
};
// site/types/author/author.type.ts
const author = {
	path: "authors",
	storage: "collection",
	file: "authors/",
	label: "Author",
	noun: "an author",
	populatesAll: true,
	route: "blog-author",
	list: [
		"name",
		"position",
		"image"
	],
	form: [
		["name", "position"],
		["description"],
		["image"],
		["hours"],
		["slug"]
	],
	fields: {
		name,
		slug: {
			kind: "slug",
			label: "Address",
			hint: "The last part of /blog/authors/… Made from the name if empty"
		},
		previousSlugs,
		description: {
			kind: "text",
			label: "About the author",
			long: true
		},
		position: {
			kind: "text",
			label: "Position",
			hint: "Such as “Head of payouts”"
		},
		hours: {
			kind: "text",
			label: "Hours",
			hint: "When this person answers, such as Monday to Friday, 08:00–18:00 UTC"
		},
		image: {
			kind: "picture",
			label: "Picture",
			many: true,
			placeWidth: 320
		},
		...shownDates
	}
};
// site/types/business-solution/business-solution.type.ts
const businessSolution = {
	path: "business-solutions",
	storage: "collection",
	file: "business-solutions/",
	label: "Business solution",
	noun: "a page",
	drafts: true,
	isPage: true,
	route: "business-solution",
	list: [
		"title",
		"slug",
		"order",
		"updatedAt"
	],
	form: listedForm,
	fields: listedPage
};
// site/types/category/category.type.ts
const categorySections = {
	...sections,
	hint: "Shown below the first page of the list, in this order. Drag to sort",
	optional: "the pages of categories have no sections"
};
const category = {
	path: "categories",
	storage: "collection",
	file: "categories/",
	label: "Blog category",
	noun: "a category",
	route: "blog-category",
	list: [
		"name",
		"slug",
		"order"
	],
	form: [
		["name", "slug"],
		["description"],
		["order"],
		["cta"]
	],
	fields: {
		name,
		description,
		title,
		h1,
		slug: {
			...slug,
			hint: "The last part of /blog/… Made from the name if empty"
		},
		sections: categorySections,
		questions,
		cta: {
			...cta,
			hint: "Articles of the category end in it, in place of the offer of the settings"
		},
		seo,
		previousSlugs,
		order,
		...shownDates
	}
};
// site/types/commerce/commerce.type.ts
const commerce = {
	path: "commerces",
	storage: "collection",
	file: "commerce/",
	label: "Commerce page",
	noun: "a page",
	drafts: true,
	isPage: true,
	route: "commerce",
	list: [
		"title",
		"slug",
		"order",
		"updatedAt"
	],
	form: listedForm,
	fields: listedPage
};
// site/types/country/country.type.ts
const country = {
	path: null,
	storage: "collection",
	file: null,
	label: "Country",
	noun: "a country",
	plural: "countries",
	fields: {
		name: {
			kind: "text",
			label: "Name in English",
			hint: "The map finds the country by it"
		},
		title: {
			kind: "text",
			label: "Name as shown",
			hint: "Only if it differs from the name in English",
			required: true,
			orElse: ["name"]
		},
		link: {
			kind: "address",
			label: "Address of the link"
		},
		image: {
			kind: "file",
			label: "Flag"
		}
	}
};
// site/types/landing/landing.type.ts
const position = component("landing-position", {
	label: "Block or own text",
	noun: "a place on the landing page",
	titleField: "name",
	form: [
		["block", "hidden"],
		["custom"],
		["anchor"],
		["publishAt", "unpublishAt"]
	],
	hidden: ["name"],
	fields: {
		block: {
			kind: "choice",
			of: [...blocks.map((block) => block.name), OWN_TEXT],
			label: "Block",
			hint: "ownText for a text of your own"
		},
		custom: {
			kind: "rich-text",
			label: "Own text"
		},
		anchor: {
			kind: "text",
			label: "Name for links",
			hint: "Links to /#name lead to this text"
		},
		hidden: {
			kind: "flag",
			label: "Hidden",
			hint: "Visitors do not see it; its texts stay"
		},
		...shownDates,
		name: {
			kind: "text",
			label: "Name in the list"
		}
	}
});
const schema = {
	kind: "json-ld",
	group: seo.group,
	hint: "JSON-LD for search engines"
};
const landing = {
	path: "landing",
	storage: "single",
	file: "landing.json",
	label: "Home page",
	noun: "the landing page",
	drafts: true,
	hidden: ["h1"],
	route: "home",
	onEveryPage: true,
	form: [
		["positionsAndCustomBlocks"],
		["title"],
		["description"]
	],
	fields: {
		...heading,
		...landingFields(blocks),
		positionsAndCustomBlocks: {
			kind: "json",
			component: position,
			many: true,
			label: "Order of the blocks",
			hint: "Drag to sort. A block that is not in the list is not shown; an empty list shows all"
		},
		subscribeBlockSocials: {
			...links,
			label: "Block “Subscribe”: social networks",
			group: subscribe.label
		},
		schema1: {
			...schema,
			label: "Structured data 1"
		},
		schema2: {
			...schema,
			label: "Structured data 2"
		},
		schema3: {
			...schema,
			label: "Structured data 3"
		},
		seo
	}
};
// site/types/main-page/main-page.type.ts
const mainPage = {
	path: "main-page",
	storage: "single",
	file: "main-page.json",
	label: "Blog start page",
	noun: "the blog page",
	route: "blog",
	form: [
		["title"],
		["description"],
		["questions"]
	],
	fields: {
		...heading,
		questions,
		seo
	}
};
// site/types/page/page.type.ts
const page = {
	path: "pages",
	storage: "collection",
	file: "pages/",
	label: "Page",
	noun: "a page",
	drafts: true,
	isPage: true,
	route: "page",
	list: [
		"title",
		"slug",
		"updatedAt"
	],
	form: [
		...pageForm,
		["contactForm", "contactPerson"],
		["cta"],
		["withoutOffer"]
	],
	fields: {
		...sitePage,
		contactForm,
		contactPerson,
		withoutOffer: {
			kind: "flag",
			label: "Show no offer",
			hint: "For legal pages, such as terms"
		},
		updatedAt,
		seoImage
	}
};
// site/types/redirect/redirect.type.ts
const redirect = {
	path: "redirects",
	storage: "collection",
	file: "redirects.json",
	label: "Redirect",
	noun: "a redirect",
	onEveryPage: true,
	list: [
		"from",
		"to",
		"statusCode"
	],
	form: [["from", "to"], ["statusCode", "replacesPage"]],
	fields: {
		from: {
			kind: "text",
			label: "Old address",
			hint: "Such as /old-page, or /old/** for all addresses below /old",
			strapi: {
				required: true,
				unique: true
			}
		},
		to: {
			kind: "text",
			label: "New address",
			hint: "Such as /about or https://shop.example.com. Empty for 410"
		},
		statusCode: {
			kind: "number",
			label: "Status",
			hint: "307 and 302: for now. 308 and 301: for ever. 410: the page is gone",
			strapi: {
				default: 307,
				min: 301,
				max: 410
			}
		},
		replacesPage: {
			kind: "flag",
			label: "Although a page is there",
			hint: "Nobody sees that page any more"
		},
		...shownDates
	}
};
// site/words/ar.ts
const ar = {
	skipToContent: "انتقل إلى المحتوى",
	mainNavigation: "التنقل الرئيسي",
	menu: "القائمة",
	closeMenu: "إغلاق",
	allOf: "الكل: {title}",
	footerNavigation: "تذييل الصفحة",
	networks: "الشبكات الاجتماعية",
	vatId: "الرقم الضريبي: {id}",
	followUs: "تابعنا",
	colours: "الألوان",
	light: "فاتح",
	systemTheme: "حسب النظام",
	dark: "داكن",
	breadcrumb: "مسار التنقل",
	loading: "جارٍ التحميل…",
	questions: "أسئلة وأجوبة",
	waysToPay: "طرق الدفع",
	examples: "أمثلة",
	earnMore: "اربح أكثر",
	inFigures: "بالأرقام",
	directions: "مجالات العمل",
	partners: "الشركاء",
	contacts: "اتصل بنا",
	oneCountry: "أين ندفع",
	countries: {
		zero: "لا دول",
		one: "دولة واحدة",
		two: "دولتان",
		few: "{count} دول",
		many: "{count} دولة",
		other: "{count} دولة"
	},
	worldMap: "خريطة العالم",
	worldMapBetween: {
		one: "خريطة العالم مع مسار إلى دولة واحدة",
		two: "خريطة العالم مع مسارات بين دولتين",
		few: "خريطة العالم مع مسارات بين {count} دول",
		other: "خريطة العالم مع مسارات بين {count} دولة"
	},
	allArticles: "كل المقالات",
	categories: "التصنيفات",
	noArticles: "لا توجد مقالات بعد.",
	noArticlesHere: "لا توجد مقالات هنا بعد.",
	allInCategory: "الكل",
	allInCategoryOf: "الكل: مقالات {category}",
	pagesOfList: "صفحات هذه القائمة",
	tags: "الوسوم",
	archive: "الأرشيف",
	months: "الأشهر",
	page: "الصفحة {page}",
	newer: "الأحدث",
	older: "الأقدم",
	updated: "آخر تحديث",
	readingTime: {
		one: "قراءة في دقيقة واحدة",
		two: "قراءة في دقيقتين",
		few: "قراءة في {count} دقائق",
		other: "قراءة في {count} دقيقة"
	},
	onThisPage: "في هذه الصفحة",
	feed: "خلاصة RSS",
	readOn: "تابع القراءة",
	copyLink: "انسخ الرابط",
	copied: "نُسخ",
	linkCopied: "نُسخ الرابط",
	shareByEmail: "البريد الإلكتروني",
	share: "مشاركة",
	search: "بحث",
	searchSite: "ابحث في هذا الموقع",
	done: "تم",
	toDo: "لم يتم بعد",
	copyCode: "نسخ الشيفرة",
	enlarge: "تكبير الصورة",
	calloutNote: "ملاحظة",
	calloutTip: "نصيحة",
	calloutWarning: "تحذير",
	filmOf: "فيديو على {provider}",
	playsFrom: "يُشغَّل من {provider}",
	nextPicture: "الصورة التالية",
	lastPicture: "الصورة السابقة",
	customText: "النص {number}",
	name: "الاسم",
	email: "البريد الإلكتروني",
	company: "الشركة",
	topic: "الموضوع",
	message: "الرسالة",
	optional: "(اختياري)",
	trap: "اترك هذا الحقل فارغًا",
	privacyNote: "اقرأ {link}.",
	privacyLink: "ماذا نفعل ببياناتك",
	sendMessage: "أرسل الرسالة",
	subscribe: "اشترك",
	sending: "جارٍ الإرسال…",
	messageSent: "شكرًا لك. وصلت رسالتك، وسيجيب عنها أحد موظفينا.",
	subscribed: "شكرًا لك. أُضيف عنوانك إلى القائمة.",
	consent: "الموافقة",
	subscribeFollows: "ستصلك رسالة إلكترونية فيها رابط. لن يُضاف عنوانك إلى القائمة إلا بعد أن تفتحه وتضغط الزر.",
	subscribedConfirm: "شكرًا لك. يرجى فتح الرابط في الرسالة الإلكترونية التي في طريقها إليك: عندها فقط يُضاف عنوانك إلى القائمة.",
	newsByEmail: "الأخبار بالبريد الإلكتروني",
	newsOf: "جديد {site} من وقت إلى آخر. يمكنك إلغاء الاشتراك متى شئت.",
	checkTyped: "يرجى مراجعة ما كتبته.",
	notSent: "تعذر إرسال رسالتك. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد قليل.",
	notSentOffline: "يبدو أنك غير متصل بالإنترنت. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى عند عودة الاتصال.",
	pageNotFound: "الصفحة غير موجودة",
	internalError: "خطأ داخلي في الخادم",
	request: "الطلب",
	backToStart: "العودة إلى البداية",
	tryAgain: "حاول مرة أخرى",
	suggestions: "ربما كنت تبحث عن",
	offline: "أنت غير متصل بالإنترنت",
	offlineNote: "ستُحمَّل هذه الصفحة فور عودة الاتصال.",
	pageFailed: "لا يمكن تحميل هذه الصفحة الآن، فيرجى المحاولة مرة أخرى بعد قليل.",
	foreignAnswer: "أجابت شبكتك بدلًا من هذا الموقع.",
	redirectLoop: "هذا العنوان يعيد التوجيه في حلقة مفرغة.",
	notShown: "حدث خطأ أثناء عرض هذه الصفحة.",
	scriptsTitle: "نصوص برمجية من مواقع أخرى",
	scriptsAllowed: "النصوص البرمجية من المواقع الأخرى مسموح بها.",
	scriptsDeclined: "النصوص البرمجية من المواقع الأخرى غير مسموح بها.",
	scriptsQuestion: "هل تسمح بتحميل نصوص برمجية من مواقع أخرى؟",
	scriptsNote: "تأتي من {hosts} ويمكنها معرفة الصفحات التي تقرؤها. لا يُحمَّل شيء قبل أن تختار، والموقع يعمل بدونها.",
	scriptsChange: "تغيير",
	decline: "رفض",
	allow: "سماح"
};
// site/words/ar-answers.ts
const arAnswers = {
	blog: "المدونة",
	blogOf: "{site} – المدونة",
	articlesTagged: "مقالات بوسم «{tag}»",
	archiveTitle: "أرشيف المقالات",
	archiveNote: "جميع مقالات المدونة حسب السنة والشهر.",
	articlesOfYear: "مقالات سنة {year}",
	articlesOfMonth: "مقالات {month}",
	articleCount: {
		zero: "لا مقالات",
		one: "مقال واحد",
		two: "مقالان",
		few: "{count} مقالات",
		many: "{count} مقالًا",
		other: "{count} مقال"
	},
	titleOfPage: "{title}، الصفحة {page}",
	searchKind: "النوع",
	anyKind: "الكل",
	kindArticles: "المقالات",
	kindSolutions: "حلول الأعمال",
	kindCommerce: "التجارة",
	kindPages: "الصفحات",
	anyCategory: "كل الفئات",
	searchCategory: "الفئة",
	searchHint: "اكتب كلمة واحدة أو أكثر. تكفي بدايات الكلمات.",
	searchResults: {
		zero: "لا نتائج",
		one: "نتيجة واحدة",
		two: "نتيجتان",
		few: "{count} نتائج",
		many: "{count} نتيجة",
		other: "{count} نتيجة"
	},
	searchNothing: "لم يُعثر على شيء عن «{query}».",
	searchCorrected: "لم يُعثر على شيء عن «{query}». هذه النتائج عن «{corrected}».",
	searchPartly: "لا شيء يحوي جميع كلمات «{query}». هذه النتائج تحوي بعضها.",
	searchUnknownFilter: "لا يوجد «{value}» للبحث فيه، لذلك لم يؤخذ في الحسبان.",
	searchWithoutCategory: "للمقالات وحدها فئات، لذلك لم تؤخذ «{category}» في الحسبان.",
	searchNearest: "ربما تقصد",
	searchWider: "ابحث في كل مكان",
	searchReading: "ما زالت نصوص هذا الموقع تُقرأ. قد يُعثر على المزيد بعد لحظة.",
	searchUnavailable: "البحث لا يعمل حاليًا، وجميع الصفحات الأخرى متاحة، فيرجى المحاولة مرة أخرى بعد دقيقة.",
	searchPages: "صفحات النتائج",
	newestArticles: "أحدث المقالات",
	searchTopics: "المواضيع",
	searchWanted: "الصفحات الأكثر طلبًا",
	nextPage: "التالي",
	previousPage: "السابق",
	suggestionsFound: {
		zero: "لا اقتراحات",
		one: "اقتراح واحد",
		two: "اقتراحان",
		few: "{count} اقتراحات",
		many: "{count} اقتراحًا",
		other: "{count} اقتراح"
	},
	noSuggestions: "لا اقتراحات",
	searchTitle: "بحث",
	searchTitleOf: "{query} – بحث",
	tooManySearches: "وردت من شبكتك عمليات بحث كثيرة. يُرجى المحاولة بعد دقيقة.",
	trapFilled: "يجب أن يبقى هذا الحقل فارغًا، وقد ملأه شيء ما. يرجى إرسال النموذج مرة أخرى.",
	missingField: "يرجى ملء هذا الحقل.",
	missingChoice: "يرجى اختيار أحد هذه الخيارات.",
	wrongTelephone: "يرجى كتابة رقم هاتف من خمسة أرقام على الأقل.",
	changedForm: "تغيّر هذا النموذج منذ أن فتحته. لم يضِع شيء مما كتبته: يرجى مراجعته وإرساله مرة أخرى.",
	goneForm: "لم يعد هذا النموذج في هذه الصفحة. لم يضِع شيء مما كتبته: يرجى نسخه من هنا والتواصل معنا بطريقة أخرى.",
	tooSoon: "أُرسل هذا أسرع مما يستطيع أحد الكتابة. يرجى إرساله مرة أخرى.",
	tooManyMessages: "وصلت رسائل كثيرة جدًا من شبكتك. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد عشر دقائق.",
	notAccepted: "تعذر إرسال رسالتك الآن. لم يضِع شيء مما كتبته: يرجى المحاولة مرة أخرى بعد قليل.",
	messageNotSent: "لم تُرسل رسالتك",
	send: "إرسال",
	confirmTitle: "تأكيد الاشتراك",
	confirmNote: "اضغط الزر لتصل الأخبار إلى العنوان الذي أرسلنا إليه الرابط.",
	confirmButton: "تأكيد",
	confirmed: "أُضيف عنوانك إلى القائمة",
	confirmedNote: "شكرًا لك. يمكنك إلغاء الاشتراك في أي وقت عبر الرابط في رسائلنا.",
	leaveTitle: "إلغاء الاشتراك",
	leaveNote: "اضغط الزر فلا تصل أي أخبار بعد ذلك إلى العنوان الذي أرسلنا إليه الرابط.",
	leaveButton: "إلغاء الاشتراك",
	left: "أُلغي اشتراكك",
	leftNote: "لن تصلك أخبار بعد الآن. يمكنك الاشتراك من جديد متى شئت.",
	linkUsed: "استُخدم هذا الرابط من قبل",
	confirmUsedNote: "اشتراكك مؤكد بالفعل، ولا يلزمك شيء آخر.",
	leaveUsedNote: "ألغيت اشتراكك به. إذا اشتركت من جديد بعد ذلك فاستخدم الرابط في أحدث رسالة منا.",
	linkExpired: "هذا الرابط قديم جدًا",
	confirmExpiredNote: "يرجى الاشتراك مرة أخرى: سيصلك رابط جديد.",
	leaveExpiredNote: "يرجى استخدام الرابط في أحدث رسالة منا، أو الكتابة إلينا.",
	linkWrong: "هذا الرابط غير كامل",
	linkWrongNote: "يرجى نسخ العنوان كاملًا من الرسالة، أو الاشتراك مرة أخرى للحصول على رابط جديد.",
	tooManyPresses: "وصلت طلبات كثيرة جدًا من شبكتك. يرجى المحاولة مرة أخرى بعد عشر دقائق.",
	pressNotAccepted: "لم ينجح ذلك الآن. يرجى ضغط الزر مرة أخرى بعد قليل.",
	home: "الصفحة الرئيسية",
	notFound: "الصفحة غير موجودة: ‎{path}",
	siteBusy: "الموقع مزدحم جدًا الآن، فيرجى المحاولة مرة أخرى بعد قليل.",
	unreadableRequest: "تعذر على الخادم قراءة هذا الطلب.",
	ourFault: "حدث خطأ من جانبنا.",
	tooSlow: "تستغرق هذه الصفحة وقتًا طويلًا، فيرجى المحاولة مرة أخرى بعد قليل.",
	wrongAddress: "لا يمكن قراءة العنوان.",
	onlyReading: "هذا العنوان للقراءة فقط.",
	tooLarge: "هذا أكثر مما يمكن إرساله إلى هذا العنوان.",
	foreignForm: "لا يمكن إرسال هذا النموذج إلا من الموقع نفسه.",
	onlyForms: "يقبل هذا العنوان نماذج الموقع عبر POST فقط.",
	onlyFormTypes: "يقبل هذا العنوان JSON والنماذج البسيطة.",
	status400: "طلب غير صالح",
	status401: "غير مصرح به",
	status403: "ممنوع",
	status405: "الطريقة غير مسموح بها",
	status408: "انتهت مهلة الطلب",
	status413: "الطلب كبير جدًا",
	status414: "العنوان طويل جدًا",
	status415: "نوع وسائط غير معروف",
	status421: "طلب موجه إلى خادم خاطئ",
	status422: "طلب لا يمكن معالجته",
	status429: "طلبات كثيرة جدًا",
	status500: "خطأ داخلي في الخادم",
	status502: "إجابة خاطئة من خادم آخر",
	status503: "الخدمة غير متاحة مؤقتًا",
	status504: "انتهت مهلة خادم آخر",
	contentMissing: "لا يمكن تحميل محتوى هذه الصفحة الآن، فيرجى المحاولة مرة أخرى بعد دقيقة."
};
// site/words/ar-forms.ts
const arForms = {
	missingName: "يرجى كتابة اسمك.",
	missingMessage: "يرجى كتابة رسالة.",
	wrongEmail: "يرجى كتابة عنوان بريد إلكتروني كامل، مثل name@example.com.",
	wrongField: "يرجى كتابة نص.",
	wrongKey: "يجب أن يكون المفتاح من نوع UUID.",
	unknownForm: "لا يوجد نموذج كهذا.",
	missingConsent: "يرجى الموافقة على هذه الجملة.",
	changedConsent: "تغيّرت هذه الجملة. يرجى إعادة تحميل الصفحة وقراءتها والموافقة عليها.",
	tooLong: {
		one: "يرجى استخدام حرف واحد على الأكثر.",
		two: "يرجى استخدام حرفين على الأكثر.",
		few: "يرجى استخدام {count} أحرف على الأكثر.",
		other: "يرجى استخدام {count} حرفًا على الأكثر."
	},
	lineBreaks: "يرجى حذف فواصل الأسطر ورموز التحكم.",
	controlCharacters: "يرجى حذف رموز التحكم.",
	stackedCharacters: "يرجى حذف الرموز المكدسة بعضها فوق بعض."
};
// site/words/de.ts
const de = {
	skipToContent: "Zum Inhalt springen",
	mainNavigation: "Hauptnavigation",
	menu: "Menü",
	closeMenu: "Schließen",
	allOf: "Alle: {title}",
	footerNavigation: "Fußzeile",
	networks: "Netzwerke",
	vatId: "USt-IdNr.: {id}",
	followUs: "Folgen Sie uns",
	colours: "Farben",
	light: "Hell",
	systemTheme: "Wie das System",
	dark: "Dunkel",
	breadcrumb: "Pfad",
	loading: "Wird geladen …",
	questions: "Fragen und Antworten",
	waysToPay: "Zahlungsarten",
	examples: "Beispiele",
	earnMore: "Mehr verdienen",
	inFigures: "In Zahlen",
	directions: "Geschäftsfelder",
	partners: "Partner",
	contacts: "Kontakt",
	oneCountry: "Wohin wir auszahlen",
	countries: {
		one: "{count} Land",
		other: "{count} Länder"
	},
	worldMap: "Weltkarte",
	worldMapBetween: {
		one: "Weltkarte mit einer Verbindung nach {count} Land",
		other: "Weltkarte mit Verbindungen zwischen {count} Ländern"
	},
	allArticles: "Alle Artikel",
	categories: "Kategorien",
	noArticles: "Es gibt noch keine Artikel.",
	noArticlesHere: "Hier gibt es noch keine Artikel.",
	allInCategory: "Alle",
	allInCategoryOf: "Alle Artikel in {category}",
	pagesOfList: "Seiten dieser Liste",
	tags: "Themen",
	archive: "Archiv",
	months: "Monate",
	page: "Seite {page}",
	newer: "Neuere",
	older: "Ältere",
	updated: "Aktualisiert am",
	readingTime: {
		one: "{count} Minute Lesezeit",
		other: "{count} Minuten Lesezeit"
	},
	onThisPage: "Auf dieser Seite",
	feed: "RSS-Feed",
	readOn: "Weiterlesen",
	copyLink: "Link kopieren",
	copied: "Kopiert",
	linkCopied: "Link kopiert",
	shareByEmail: "E-Mail",
	share: "Teilen",
	search: "Suchen",
	searchSite: "Website durchsuchen",
	done: "Erledigt",
	toDo: "Offen",
	copyCode: "Code kopieren",
	enlarge: "Bild vergrößern",
	calloutNote: "Hinweis",
	calloutTip: "Tipp",
	calloutWarning: "Warnung",
	filmOf: "Film bei {provider}",
	playsFrom: "Wird von {provider} abgespielt",
	nextPicture: "Nächstes Bild",
	lastPicture: "Vorheriges Bild",
	customText: "Text {number}",
	name: "Name",
	email: "E-Mail-Adresse",
	company: "Unternehmen",
	topic: "Thema",
	message: "Nachricht",
	optional: "(freiwillig)",
	trap: "Bitte leer lassen",
	privacyNote: "Lesen Sie, {link}.",
	privacyLink: "was wir mit Ihren Daten tun",
	sendMessage: "Nachricht senden",
	subscribe: "Abonnieren",
	sending: "Wird gesendet …",
	messageSent: "Vielen Dank. Ihre Nachricht ist angekommen, und ein Mensch wird sie beantworten.",
	subscribed: "Vielen Dank. Sie stehen auf der Liste.",
	consent: "Einwilligung",
	subscribeFollows: "Sie bekommen eine E-Mail mit einem Link. Erst wenn Sie ihn geöffnet und den Knopf gedrückt haben, stehen Sie auf der Liste.",
	subscribedConfirm: "Vielen Dank. Bitte öffnen Sie den Link in der E-Mail, die zu Ihnen unterwegs ist: Erst dann stehen Sie auf der Liste.",
	newsByEmail: "Neues per E-Mail",
	newsOf: "Von Zeit zu Zeit, was es bei {site} Neues gibt. Abbestellen können Sie jederzeit.",
	checkTyped: "Bitte prüfen Sie Ihre Eingaben.",
	notSent: "Ihre Nachricht konnte nicht gesendet werden. Nichts davon ist verloren: Bitte versuchen Sie es gleich noch einmal.",
	notSentOffline: "Sie sind anscheinend offline. Nichts ist verloren: Bitte versuchen Sie es noch einmal, sobald die Verbindung wieder da ist.",
	pageNotFound: "Seite nicht gefunden",
	internalError: "Interner Serverfehler",
	request: "Anfrage",
	backToStart: "Zur Startseite",
	tryAgain: "Noch einmal versuchen",
	suggestions: "Vielleicht haben Sie das gesucht",
	offline: "Sie sind offline",
	offlineNote: "Die Seite wird geladen, sobald die Verbindung wieder da ist.",
	pageFailed: "Diese Seite kann gerade nicht geladen werden: Bitte versuchen Sie es gleich noch einmal.",
	foreignAnswer: "Statt dieser Website hat Ihr Netzwerk geantwortet.",
	redirectLoop: "Diese Adresse leitet im Kreis weiter.",
	notShown: "Beim Anzeigen dieser Seite ist etwas schiefgegangen.",
	scriptsTitle: "Skripte anderer Websites",
	scriptsAllowed: "Skripte anderer Websites sind erlaubt.",
	scriptsDeclined: "Skripte anderer Websites sind nicht erlaubt.",
	scriptsQuestion: "Dürfen Skripte anderer Websites geladen werden?",
	scriptsNote: "Sie kommen von {hosts} und sehen, welche Seiten Sie lesen. Bevor Sie gewählt haben, wird nichts geladen, und ohne sie funktioniert alles.",
	scriptsChange: "Ändern",
	decline: "Ablehnen",
	allow: "Erlauben"
};
// site/words/de-answers.ts
const deAnswers = {
	blog: "Blog",
	blogOf: "{site} – Blog",
	articlesTagged: "Artikel zum Thema „{tag}“",
	archiveTitle: "Archiv der Artikel",
	archiveNote: "Alle Artikel des Blogs, nach Jahr und Monat.",
	articlesOfYear: "Artikel aus dem Jahr {year}",
	articlesOfMonth: "Artikel aus dem {month}",
	articleCount: {
		one: "{count} Artikel",
		other: "{count} Artikel"
	},
	titleOfPage: "{title}, Seite {page}",
	searchKind: "Art",
	anyKind: "Alles",
	kindArticles: "Artikel",
	kindSolutions: "Geschäftslösungen",
	kindCommerce: "Handel",
	kindPages: "Seiten",
	anyCategory: "Alle Kategorien",
	searchCategory: "Kategorie",
	searchHint: "Geben Sie ein oder mehrere Wörter ein. Wortanfänge genügen.",
	searchResults: {
		one: "{count} Treffer",
		other: "{count} Treffer"
	},
	searchNothing: "Zu „{query}“ wurde nichts gefunden.",
	searchCorrected: "Zu „{query}“ wurde nichts gefunden. Diese Treffer sind für „{corrected}“.",
	searchPartly: "Nichts enthält alle Wörter von „{query}“. Diese Treffer enthalten einige davon.",
	searchUnknownFilter: "„{value}“ gibt es hier nicht, die Auswahl wurde daher ignoriert.",
	searchWithoutCategory: "Nur Artikel haben Kategorien, „{category}“ wurde daher nicht berücksichtigt.",
	searchNearest: "Meinten Sie",
	searchWider: "Überall suchen",
	searchReading: "Die Texte dieser Website werden noch gelesen. Gleich kann mehr gefunden werden.",
	searchUnavailable: "Die Suche funktioniert gerade nicht, alle anderen Seiten schon: Bitte versuchen Sie es in einer Minute noch einmal.",
	searchPages: "Seiten der Treffer",
	newestArticles: "Die neuesten Artikel",
	searchTopics: "Themen",
	searchWanted: "Meistgesuchte Seiten",
	nextPage: "Weiter",
	previousPage: "Zurück",
	suggestionsFound: {
		one: "{count} Vorschlag",
		other: "{count} Vorschläge"
	},
	noSuggestions: "Keine Vorschläge",
	searchTitle: "Suche",
	searchTitleOf: "{query} – Suche",
	tooManySearches: "Aus Ihrem Netz kamen zu viele Suchen. Bitte versuchen Sie es in einer Minute erneut.",
	trapFilled: "Dieses Feld muss leer bleiben, und etwas hatte es ausgefüllt. Bitte senden Sie das Formular noch einmal.",
	missingField: "Bitte füllen Sie das aus.",
	missingChoice: "Bitte wählen Sie etwas davon.",
	wrongTelephone: "Bitte geben Sie eine Telefonnummer mit mindestens fünf Ziffern ein.",
	changedForm: "Dieses Formular hat sich geändert, seit Sie es geöffnet haben. Nichts davon ist verloren: Bitte sehen Sie es durch und senden Sie es noch einmal.",
	goneForm: "Dieses Formular ist nicht mehr auf dieser Seite. Nichts davon ist verloren: Bitte kopieren Sie es von hier, und erreichen Sie uns anders.",
	tooSoon: "Das kam schneller, als jemand tippen kann. Bitte senden Sie es noch einmal.",
	tooManyMessages: "Aus Ihrem Netzwerk sind zu viele Nachrichten gekommen. Nichts davon ist verloren: Bitte versuchen Sie es in zehn Minuten noch einmal.",
	notAccepted: "Ihre Nachricht konnte gerade nicht gesendet werden. Nichts davon ist verloren: Bitte versuchen Sie es gleich noch einmal.",
	messageNotSent: "Ihre Nachricht wurde nicht gesendet",
	send: "Senden",
	confirmTitle: "Abonnement bestätigen",
	confirmNote: "Drücken Sie den Knopf, und Neues kommt an die Adresse, an die wir den Link geschickt haben.",
	confirmButton: "Bestätigen",
	confirmed: "Sie stehen auf der Liste",
	confirmedNote: "Vielen Dank. Abbestellen können Sie jederzeit mit dem Link in unseren E-Mails.",
	leaveTitle: "Abbestellen",
	leaveNote: "Drücken Sie den Knopf, und an die Adresse, an die wir den Link geschickt haben, kommt nichts mehr.",
	leaveButton: "Abbestellen",
	left: "Sie stehen nicht mehr auf der Liste",
	leftNote: "Sie bekommen nichts mehr von uns. Sie können jederzeit wieder abonnieren.",
	linkUsed: "Dieser Link wurde schon benutzt",
	confirmUsedNote: "Ihr Abonnement ist bereits bestätigt. Sie müssen nichts mehr tun.",
	leaveUsedNote: "Sie haben damit abbestellt. Falls Sie seitdem wieder abonniert haben, nehmen Sie den Link in unserer neuesten E-Mail.",
	linkExpired: "Dieser Link ist zu alt",
	confirmExpiredNote: "Bitte abonnieren Sie noch einmal: Sie bekommen einen neuen Link.",
	leaveExpiredNote: "Bitte nehmen Sie den Link in unserer neuesten E-Mail, oder schreiben Sie uns.",
	linkWrong: "Dieser Link ist nicht vollständig",
	linkWrongNote: "Bitte kopieren Sie die ganze Adresse aus der E-Mail, oder abonnieren Sie noch einmal, um einen neuen Link zu bekommen.",
	tooManyPresses: "Aus Ihrem Netzwerk sind zu viele Anfragen gekommen. Bitte versuchen Sie es in zehn Minuten noch einmal.",
	pressNotAccepted: "Das hat gerade nicht geklappt. Bitte drücken Sie den Knopf gleich noch einmal.",
	home: "Startseite",
	notFound: "Seite nicht gefunden: {path}",
	siteBusy: "Die Website ist gerade stark ausgelastet: Bitte versuchen Sie es gleich noch einmal.",
	unreadableRequest: "Der Server konnte diese Anfrage nicht lesen.",
	ourFault: "Bei uns ist etwas schiefgegangen.",
	tooSlow: "Diese Seite braucht zu lange: Bitte versuchen Sie es gleich noch einmal.",
	wrongAddress: "Die Adresse ist nicht lesbar.",
	onlyReading: "Diese Adresse kann nur gelesen werden.",
	tooLarge: "Das ist mehr, als an diese Adresse gesendet werden kann.",
	foreignForm: "Dieses Formular kann nur von der Website selbst gesendet werden.",
	onlyForms: "Diese Adresse nimmt die Formulare der Website an, und nur per POST.",
	onlyFormTypes: "Diese Adresse nimmt JSON und einfache Formulare an.",
	status400: "Ungültige Anfrage",
	status401: "Nicht angemeldet",
	status403: "Nicht erlaubt",
	status405: "Methode nicht erlaubt",
	status408: "Zeitüberschreitung der Anfrage",
	status413: "Anfrage zu groß",
	status414: "Adresse zu lang",
	status415: "Unbekannter Medientyp",
	status421: "Anfrage an den falschen Server",
	status422: "Nicht verarbeitbare Anfrage",
	status429: "Zu viele Anfragen",
	status500: "Interner Serverfehler",
	status502: "Fehlerhafte Antwort eines anderen Servers",
	status503: "Vorübergehend nicht verfügbar",
	status504: "Zeitüberschreitung eines anderen Servers",
	contentMissing: "Der Inhalt dieser Seite kann gerade nicht geladen werden: Bitte versuchen Sie es in einer Minute noch einmal."
};
// site/words/de-forms.ts
const deForms = {
	missingName: "Bitte geben Sie Ihren Namen ein.",
	missingMessage: "Bitte schreiben Sie eine Nachricht.",
	wrongEmail: "Bitte geben Sie eine vollständige E-Mail-Adresse ein, etwa name@example.com.",
	wrongField: "Bitte schreiben Sie einen Text.",
	wrongKey: "Der Schlüssel muss eine UUID sein.",
	unknownForm: "Dieses Formular gibt es nicht.",
	missingConsent: "Bitte stimmen Sie diesem Satz zu.",
	changedConsent: "Dieser Satz hat sich geändert. Bitte laden Sie die Seite neu, lesen Sie ihn und stimmen Sie zu.",
	tooLong: {
		one: "Bitte verwenden Sie höchstens {count} Zeichen.",
		other: "Bitte verwenden Sie höchstens {count} Zeichen."
	},
	lineBreaks: "Bitte entfernen Sie Zeilenumbrüche und Steuerzeichen.",
	controlCharacters: "Bitte entfernen Sie Steuerzeichen.",
	stackedCharacters: "Bitte entfernen Sie übereinander gestapelte Zeichen."
};
// site/words/en.ts
const en = {
	skipToContent: "Skip to content",
	mainNavigation: "Main",
	menu: "Menu",
	closeMenu: "Close",
	allOf: "All: {title}",
	footerNavigation: "Footer",
	networks: "Networks",
	vatId: "VAT ID: {id}",
	followUs: "Follow us",
	colours: "Colours",
	light: "Light",
	systemTheme: "System theme",
	dark: "Dark",
	breadcrumb: "Breadcrumb",
	loading: "Loading…",
	questions: "Questions and answers",
	waysToPay: "Ways to pay",
	examples: "Examples",
	earnMore: "Earn more",
	inFigures: "In figures",
	directions: "Directions",
	partners: "Partners",
	contacts: "Contacts",
	oneCountry: "Where we pay out",
	countries: {
		one: "{count} country",
		other: "{count} countries"
	},
	worldMap: "Map of the world",
	worldMapBetween: {
		one: "Map of the world with a line to {count} country",
		other: "Map of the world with lines between {count} countries"
	},
	allArticles: "All articles",
	categories: "Categories",
	noArticles: "There are no articles yet.",
	noArticlesHere: "There are no articles here yet.",
	allInCategory: "All",
	allInCategoryOf: "All articles in {category}",
	pagesOfList: "Pages of this list",
	tags: "Tags",
	archive: "Archive",
	months: "Months",
	page: "Page {page}",
	newer: "Newer",
	older: "Older",
	updated: "Updated",
	readingTime: {
		one: "{count} min read",
		other: "{count} min read"
	},
	onThisPage: "On this page",
	feed: "RSS feed",
	readOn: "Read on",
	copyLink: "Copy link",
	copied: "Copied",
	linkCopied: "Link copied",
	shareByEmail: "E-mail",
	share: "Share",
	search: "Search",
	searchSite: "Search this site",
	done: "Done",
	toDo: "To do",
	copyCode: "Copy code",
	enlarge: "Enlarge the picture",
	calloutNote: "Note",
	calloutTip: "Tip",
	calloutWarning: "Warning",
	filmOf: "Film on {provider}",
	playsFrom: "Plays from {provider}",
	nextPicture: "Next picture",
	lastPicture: "Previous picture",
	customText: "text {number}",
	name: "Name",
	email: "E-mail",
	company: "Company",
	topic: "Topic",
	message: "Message",
	optional: "(optional)",
	trap: "Leave this empty",
	privacyNote: "Read {link}.",
	privacyLink: "what we do with your data",
	sendMessage: "Send message",
	subscribe: "Subscribe",
	sending: "Sending…",
	messageSent: "Thank you. Your message has arrived, and a person will answer it.",
	subscribed: "Thank you. You are on the list.",
	consent: "Consent",
	subscribeFollows: "You will get an e-mail with a link. Only when you have opened it and pressed the button are you on the list.",
	subscribedConfirm: "Thank you. Please open the link in the e-mail that is on its way to you: only then are you on the list.",
	newsByEmail: "News by e-mail",
	newsOf: "What is new at {site}, from time to time. Leave whenever you like.",
	checkTyped: "Please check what you typed.",
	notSent: "Your message could not be sent. Nothing you typed is lost: please try again in a moment.",
	notSentOffline: "You seem to be offline. Nothing you typed is lost: please try again when you are connected.",
	pageNotFound: "Page Not Found",
	internalError: "Internal Server Error",
	request: "Request",
	backToStart: "Back to the start",
	tryAgain: "Try again",
	suggestions: "Perhaps you were looking for",
	offline: "You are offline",
	offlineNote: "This page will be loaded as soon as the connection is back.",
	pageFailed: "This page cannot be loaded right now, so please try again in a moment.",
	foreignAnswer: "Your network answered instead of this site.",
	redirectLoop: "This address redirects in a loop.",
	notShown: "Something went wrong while this page was shown.",
	scriptsTitle: "Scripts of other sites",
	scriptsAllowed: "Scripts of other sites are allowed.",
	scriptsDeclined: "Scripts of other sites are not allowed.",
	scriptsQuestion: "May scripts of other sites be loaded?",
	scriptsNote: "They come from {hosts} and can see which pages you read. Nothing is loaded before you have chosen, and the site works without them.",
	scriptsChange: "Change",
	decline: "Decline",
	allow: "Allow"
};
// site/words/en-answers.ts
const enAnswers = {
	blog: "Blog",
	blogOf: "{site} – Blog",
	articlesTagged: "Articles tagged “{tag}”",
	archiveTitle: "Archive of articles",
	archiveNote: "All articles of the blog, by year and month.",
	articlesOfYear: "Articles from {year}",
	articlesOfMonth: "Articles from {month}",
	articleCount: {
		one: "{count} article",
		other: "{count} articles"
	},
	titleOfPage: "{title}, page {page}",
	searchKind: "Kind",
	anyKind: "Everything",
	kindArticles: "Articles",
	kindSolutions: "Business solutions",
	kindCommerce: "Commerce",
	kindPages: "Pages",
	anyCategory: "All categories",
	searchCategory: "Category",
	searchHint: "Type one or more words. Beginnings of words are enough.",
	searchResults: {
		one: "{count} result",
		other: "{count} results"
	},
	searchNothing: "Nothing was found for “{query}”.",
	searchCorrected: "Nothing was found for “{query}”. These results are for “{corrected}”.",
	searchPartly: "Nothing has all words of “{query}”. These results have some of them.",
	searchUnknownFilter: "There is no “{value}” to search in, so it was left out.",
	searchWithoutCategory: "Only articles have categories, so “{category}” was left out.",
	searchNearest: "Perhaps you meant",
	searchWider: "Search everywhere",
	searchReading: "The texts of this site are still being read. More may be found in a moment.",
	searchUnavailable: "The search does not work at the moment, but all other pages do: please try again in a minute.",
	searchPages: "Pages of results",
	newestArticles: "The newest articles",
	searchTopics: "Topics",
	searchWanted: "Most wanted pages",
	nextPage: "Next",
	previousPage: "Previous",
	suggestionsFound: {
		one: "{count} suggestion",
		other: "{count} suggestions"
	},
	noSuggestions: "No suggestions",
	searchTitle: "Search",
	searchTitleOf: "{query} – Search",
	tooManySearches: "Too many searches have come from your network. Please try again in a minute.",
	trapFilled: "This must stay empty, and something had filled it in. Please send the form once more.",
	missingField: "Please fill this in.",
	missingChoice: "Please choose one of these.",
	wrongTelephone: "Please enter a telephone number with at least five digits.",
	changedForm: "This form has changed since you opened it. Nothing you typed is lost: please look through it and send it once more.",
	goneForm: "This form is no longer on this page. Nothing you typed is lost: please copy it from here, and reach us another way.",
	tooSoon: "This was sent sooner than anybody can type. Please send it once more.",
	tooManyMessages: "Too many messages have come from your network. Nothing you typed is lost: please try again in ten minutes.",
	notAccepted: "Your message could not be sent right now. Nothing you typed is lost: please try again in a moment.",
	messageNotSent: "Your message has not been sent",
	send: "Send",
	confirmTitle: "Confirm your subscription",
	confirmNote: "Press the button, and the news will come to the address to which we have sent the link.",
	confirmButton: "Confirm",
	confirmed: "You are on the list",
	confirmedNote: "Thank you. You can leave at any time by the link in our e-mails.",
	leaveTitle: "Leave the list",
	leaveNote: "Press the button, and no more news will come to the address to which we have sent the link.",
	leaveButton: "Leave",
	left: "You have left the list",
	leftNote: "No more news will come to you. You can subscribe again whenever you like.",
	linkUsed: "This link has been used",
	confirmUsedNote: "Your subscription is confirmed already. There is nothing more to do.",
	leaveUsedNote: "You have left the list with it. If you have subscribed again since, use the link in our newest e-mail.",
	linkExpired: "This link is too old",
	confirmExpiredNote: "Please subscribe once more: you will get a new link.",
	leaveExpiredNote: "Please use the link in our newest e-mail, or write to us.",
	linkWrong: "This link is not complete",
	linkWrongNote: "Please copy the whole address from the e-mail, or subscribe once more to get a new link.",
	tooManyPresses: "Too many requests have come from your network. Please try again in ten minutes.",
	pressNotAccepted: "This did not work just now. Please press the button again in a moment.",
	home: "Home",
	notFound: "Page not found: {path}",
	siteBusy: "The site is very busy right now, so please try again in a moment.",
	unreadableRequest: "The server could not read this request.",
	ourFault: "Something went wrong on our side.",
	tooSlow: "This page takes too long, so please try again in a moment.",
	wrongAddress: "The address cannot be read.",
	onlyReading: "This address can only be read.",
	tooLarge: "This is more than can be sent to this address.",
	foreignForm: "This form can only be sent from the site itself.",
	onlyForms: "This address accepts the forms of the site, by POST alone.",
	onlyFormTypes: "This address accepts JSON and plain form posts.",
	status400: "Bad Request",
	status401: "Unauthorized",
	status403: "Forbidden",
	status405: "Method Not Allowed",
	status408: "Request Timeout",
	status413: "Payload Too Large",
	status414: "URI Too Long",
	status415: "Unsupported Media Type",
	status421: "Misdirected Request",
	status422: "Unprocessable Entity",
	status429: "Too Many Requests",
	status500: "Internal Server Error",
	status502: "Bad Gateway",
	status503: "Service Unavailable",
	status504: "Gateway Timeout",
	contentMissing: "The content of this page cannot be loaded right now, so please try again in a minute."
};
// site/words/en-forms.ts
const enForms = {
	missingName: "Please enter your name.",
	missingMessage: "Please write a message.",
	wrongEmail: "Please enter a complete e-mail address, such as name@example.com.",
	wrongField: "Please write a text.",
	wrongKey: "The key must be a UUID.",
	unknownForm: "There is no such form.",
	missingConsent: "Please agree to this sentence.",
	changedConsent: "This sentence has changed. Please load the page again, read it, and agree.",
	tooLong: {
		one: "Please use at most {count} character.",
		other: "Please use at most {count} characters."
	},
	lineBreaks: "Please remove line breaks and control characters.",
	controlCharacters: "Please remove control characters.",
	stackedCharacters: "Please remove characters that are stacked on each other."
};
// site/all-words.ts
const WORDS = {
	en: {
		...en,
		...enForms,
		...enAnswers
	},
	de: {
		...de,
		...deForms,
		...deAnswers
	},
	ar: {
		...ar,
		...arForms,
		...arAnswers
	}
};
const FORMS$1 = [
	"zero",
	"one",
	"two",
	"few",
	"many",
	"other"
];
// site/types/settings/settings.type.ts
const word = component("label", {
	label: "Word of the interface",
	noun: "a word of the interface",
	fields: {
		name: {
			kind: "choice",
			of: Object.entries(WORDS.en).flatMap(([name, text]) => typeof text === "string" ? [name] : [name, ...FORMS$1.map((form) => `${name}_${form}`)]).sort(),
			label: "Word",
			hint: "Words with a number have a text for each form: one, few, other"
		},
		text: {
			kind: "text",
			label: "Text",
			long: true
		}
	}
});
const profile = component("profile", {
	label: "Profile of a social network",
	noun: "a profile of a social network",
	needs: ["title", "link"],
	fields: {
		title: title$1,
		link: {
			kind: "address",
			label: "Address of the profile"
		},
		icon
	}
});
const COMPANY = "The company";
const navigation = {
	kind: "navigation",
	component: navigationLink,
	many: true
};
const settings = {
	path: "settings",
	storage: "single",
	file: "settings.json",
	aliases: ["setting"],
	label: "Site settings",
	noun: "the settings",
	plural: "settings-list",
	table: "settings",
	populatesAll: true,
	onEveryPage: true,
	form: [
		["siteName", "language"],
		["timeZone", "currency"],
		["headerLinks"],
		["cta"],
		["contactPerson", "afterSending"],
		["footerLinks"],
		["logo", "logoDark"],
		["shareImage", "accentColor"],
		["privacyLink"]
	],
	fields: {
		siteName: {
			kind: "text",
			label: "Name of the site",
			emptyMeans: "pages name the host in place of the company"
		},
		language: {
			kind: "text",
			isCode: true,
			label: "Language",
			hint: "Of the words around the content, of dates and numbers: en-GB, de-DE or ar-EG, for example. If it is empty, the configuration of the site decides, as for the next two"
		},
		timeZone: {
			kind: "text",
			isCode: true,
			label: "Time zone",
			hint: "Of dates, such as Europe/Berlin"
		},
		currency: {
			kind: "text",
			isCode: true,
			label: "Currency",
			hint: "Of the amounts on the home page: three letters such as EUR"
		},
		labels: {
			kind: "json",
			component: word,
			many: true,
			label: "Words of the interface",
			hint: "Texts of your own in place of those of the site. {count} and other words in braces are filled in"
		},
		privacyLink: {
			kind: "address",
			label: "Page about visitors’ data",
			hint: "Both forms link to it"
		},
		subscribeConsent: {
			kind: "rich-text",
			label: "Consent of subscribers",
			hint: "One sentence, with links if you like. The subscribe form then asks for it, and each subscription has it"
		},
		scriptsConsent: {
			kind: "rich-text",
			label: "What scripts of other sites are for",
			hint: "Shown where visitors are asked for them: each purpose, and a link to the page about it. The title and the buttons are words of the interface"
		},
		headerLinks: {
			...navigation,
			label: "Links in the header"
		},
		footerLinks: {
			...navigation,
			label: "Links in the footer"
		},
		cta: {
			kind: "object",
			component: offer,
			label: "Offer",
			hint: "A button in the header, beside headings and at the end of pages. Pages and categories may have another"
		},
		contactPerson: {
			...contactPerson,
			hint: "Who answers the contact form: the name of an author, who is shown beside it with portrait and hours"
		},
		afterSending: {
			kind: "text",
			label: "After sending",
			hint: "Said to those who have sent a message, such as: You hear from us within one working day"
		},
		socials: {
			kind: "list",
			group: COMPANY,
			component: profile,
			label: "Social networks of the company",
			hint: "For search engines"
		},
		legalName: {
			kind: "text",
			group: COMPANY,
			label: "Legal name of the company",
			hint: "With its form, such as Nordwind GmbH. This and the next three are shown in the footer, and to search engines"
		},
		address: {
			kind: "text",
			long: true,
			group: COMPANY,
			label: "Address of the company",
			hint: "One line for each part"
		},
		register: {
			kind: "text",
			group: COMPANY,
			label: "Entry in a register",
			hint: "Such as Amtsgericht Hamburg, HRB 12345"
		},
		vatId: {
			kind: "text",
			group: COMPANY,
			label: "VAT ID",
			hint: "The number alone, such as DE123456789"
		},
		supervisor: {
			kind: "text",
			group: COMPANY,
			label: "Supervisory authority",
			hint: "A sentence or a name for the footer, such as: Supervised by BaFin"
		},
		year: {
			kind: "text",
			group: COMPANY,
			label: "Year",
			hint: "Of the copyright, in the footer, such as 2026 or 2019–2026"
		},
		logo: {
			kind: "picture",
			label: "Logo",
			hint: "In header, footer, e-mails and shared links, and for search engines. A wide drawing has the name; beside a square one the name is written. SVG, PNG or JPEG, at least 112 pixels wide and high; not every mail program shows SVG",
			optional: "pages have the logo of the build, and search engines are shown its icon"
		},
		logoDark: {
			kind: "picture",
			label: "Logo on dark surfaces",
			hint: "Only beside a logo. Without it, the logo serves both",
			optional: "the logo is the same on light and dark surfaces"
		},
		shareImage: {
			kind: "picture",
			label: "Picture of shared links",
			hint: "For pages without one. 1200 × 630 pixels look best; no SVG",
			optional: "links to pages without a picture show a card that the site draws"
		},
		accentColor: {
			kind: "text",
			isCode: true,
			label: "Accent colour",
			hint: "Of links and buttons, such as #0b6b4f. It is used if texts in it can be read on light surfaces; dark ones get a lighter shade"
		},
		refuseAiSearch: {
			kind: "flag",
			group: seo.group,
			label: "Stay out of AI search",
			hint: "robots.txt asks the crawlers of these search engines to leave. Google and Bing are not meant"
		},
		refuseAiTraining: {
			kind: "flag",
			group: seo.group,
			label: "Refuse the training of AI models",
			hint: "robots.txt asks crawlers that collect texts for training to leave"
		},
		refuseAiAnswers: {
			kind: "flag",
			group: seo.group,
			label: "Stay out of answers by AI assistants",
			hint: "robots.txt asks assistants not to read pages for the people who use them"
		},
		keepsTyped: {
			kind: "flag",
			label: "Keep quotes and dashes as typed",
			hint: "Else pages show \"a\" as “a”, it's as it’s, and a hyphen between two words as a dash. Code and addresses always stay as they are"
		},
		customCss: {
			kind: "files",
			label: "Own stylesheets"
		},
		scripts: {
			kind: "files",
			label: "Own scripts"
		}
	}
};
// site/types/social/social.type.ts
const social = {
	path: "socials",
	storage: "collection",
	file: "socials.json",
	label: "Social network icon",
	noun: "a social",
	populatesAll: true,
	onEveryPage: true,
	fields: {
		link: {
			kind: "address",
			label: "Address of the profile",
			required: true
		},
		icon,
		order,
		...shownDates
	}
};
// site/types/tag/tag.type.ts
const tag = {
	path: "tags",
	storage: "collection",
	file: "tags.json",
	label: "Tag",
	noun: "a tag",
	optional: NO_TAGS,
	route: "blog-tag",
	list: ["name", "slug"],
	form: [["name", "slug"], ["description"]],
	fields: {
		name,
		slug: {
			kind: "slug",
			label: "Address",
			hint: "The last part of /blog/tags/… Made from the name if empty"
		},
		previousSlugs,
		description,
		...shownDates
	}
};
// site/types.ts
const contentTypes = {
	article,
	author,
	"business-solution": businessSolution,
	category,
	commerce,
	page,
	redirect,
	social,
	tag,
	country,
	landing,
	"main-page": mainPage,
	settings
};
const siteTypes = {
	article,
	author,
	blog: mainPage,
	category,
	landing,
	page,
	redirect,
	settings,
	social,
	tag
};
// server/addresses/fixed-addresses.ts
const FIXED_ADDRESSES = new Set([
	...routes.map(({ path }) => path),
	...siteRedirects.map(({ from }) => String(from)),
	...[above(siteRoutes.author), above(siteRoutes.tag)].map((path) => path.replace(/\/$/, "")),
	...FEED_FORMATS.map((format) => feedPath(above(siteRoutes.blog), format)),
	...[
		"/healthz",
		"/livez",
		"/readyz",
		"/robots.txt",
		"/sitemap.xml",
		"/subscribe",
		"/vitals"
	]
]);
const ABOVE_SLUG = {
	[siteTypes.page.path]: above(siteRoutes.page),
	[siteTypes.category.path]: above(siteRoutes.category)
};
const FEED_NAMES = new Set(Object.values(FEED_FILES));
function fixedAddressOf(type, slug) {
	if (type === siteTypes.article.path) return FEED_NAMES.has(slug.split("/").at(-1) ?? "") ? above(siteRoutes.article) + slug : null;
	const begin = ABOVE_SLUG[type];
	return begin !== void 0 && FIXED_ADDRESSES.has(begin + slug) ? begin + slug : null;
}
function above(route) {
	return routes.find(({ id }) => id === route)?.path.split(":", 1)[0] ?? "";
}
// shared/result.ts
const ok = (value) => ({
	ok: true,
	value
});
const fail = (error) => ({
	ok: false,
	error
});
// shared/routing/canonical-form.ts
function canonicalForm(text) {
	return text.toLowerCase().normalize("NFC");
}
// shared/routing/decode-uri.ts
const BROKEN_OCTET = /%(?![\da-f]{2})/i;
function decodeUri(text) {
	if (BROKEN_OCTET.test(text)) return null;
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
// shared/routing/redirects.ts
const REDIRECT_STATUSES = [
	301,
	302,
	307,
	308
];
function pathKey(path) {
	const segments = [];
	for (const segment of segmentsOf$1(path)) {
		const decoded = decodeUri(segment);
		if (decoded === null) return null;
		segments.push(decoded.replaceAll("/", "%2f"));
	}
	return canonicalForm(`/${segments.join("/")}`);
}
function segmentsOf$1(path) {
	return path.split("/").filter((segment) => segment !== "");
}
function splitAddress(address) {
	const [beforeHash = "", ...hash] = address.split("#");
	const [path = "", ...search] = beforeHash.split("?");
	return {
		path,
		search: search.length > 0 ? `?${search.join("?")}` : "",
		hash: hash.length > 0 ? `#${hash.join("#")}` : ""
	};
}
function followRedirects(table, start) {
	const rules = [];
	let current = start;
	while (rules.length <= 20) {
		const rule = matchRule(table, pathKey(current.path));
		if (!rule) return {
			rules,
			end: current
		};
		if (rule.statusCode === 410) return {
			rules: rules.length > 0 ? rules : [rule],
			end: current
		};
		rules.push(rule);
		const target = splitAddress(targetOf$1(rule, current.path));
		current = {
			path: target.path,
			search: target.search || current.search,
			hash: target.hash || current.hash
		};
		if (rule.external) return {
			rules,
			end: current
		};
	}
	return {
		rules,
		end: null
	};
}
function matchRule(table, key) {
	if (key === null) return void 0;
	const exact = table.exact.get(key);
	if (exact || `${key}/`.startsWith("/assets/")) return exact;
	if (table.wildcards.size === 0) return void 0;
	for (let above = key; above !== ""; above = above.slice(0, above.lastIndexOf("/"))) {
		const rule = table.wildcards.get(above);
		if (rule) return rule;
	}
	return table.wildcards.get("/");
}
function targetOf$1(rule, path) {
	if (!rule.joinsRest) return rule.to;
	const target = splitAddress(rule.to);
	const rest = segmentsOf$1(path).slice(segmentsOf$1(rule.from).length).map((segment) => `/${segment.replaceAll("\\", "%5C")}`).join("");
	return (target.path.replace(/\/$/, "") + rest || "/") + target.search + target.hash;
}
function atOnce(work) {
	for (let step = work.next();; step = work.next()) if (step.done) return step.value;
}
// server/ops/one-line.ts
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
function oneLine(text) {
	return text.replace(UNPRINTABLE, " ").replace(/ {2,}/g, " ").trim();
}
// server/wire/cut-nodes.ts
const MAX_SIZE = {
	nodes: 2e4,
	characters: 5e5
};
function cutNodes(tree, bound) {
	let nodes = 0;
	let characters = 0;
	let isCut = false;
	function kept(all) {
		const found = [];
		for (const node of all) {
			const own = typeof node === "string" ? node.length : charactersOf(node[1]);
			const room = bound.characters - characters;
			const isTooLong = own > room;
			if (isCut || nodes === bound.nodes || room === 0 || isTooLong && typeof node !== "string") {
				isCut = true;
				break;
			}
			nodes += 1;
			characters += Math.min(own, room);
			if (typeof node !== "string") found.push([
				node[0],
				node[1],
				kept(node[2])
			]);
			else found.push(isTooLong ? node.slice(0, room).toWellFormed() : node);
			isCut ||= isTooLong;
		}
		return found;
	}
	return {
		tree: kept(tree),
		size: {
			nodes,
			characters
		},
		isCut
	};
}
function cutText(tree, bound, lose) {
	const shortened = cutNodes(tree, bound);
	const { characters } = shortened.size;
	const shown = characters === 0 ? "nothing of it is shown" : `only the beginning is shown, ${characters} characters`;
	if (shortened.isCut) lose("value-left-out", `the texts of the page are too large: ${shown}`);
	return shortened;
}
function charactersOf(attributes) {
	let characters = 0;
	for (const value of Object.values(attributes ?? {})) if (typeof value === "string") characters += value.length;
	return characters;
}
// server/wire/decode-context.ts
function lose(context, kind, reason) {
	context.report({
		kind,
		...context.at,
		reason
	});
}
function inside(context, key) {
	const { field } = context.at;
	const inner = typeof key === "number" ? `[${key}]` : field === null ? key : `.${key}`;
	return {
		...context,
		at: {
			...context.at,
			field: `${field ?? ""}${inner}`
		}
	};
}
function atRow(context, place) {
	return {
		...context,
		at: {
			...place,
			field: null
		},
		within: context.at
	};
}
function noted(kind, value, context) {
	return context.noteField ? context.noteField(kind, value, context) : value;
}
const MAX_ITEMS = 1e3;
function atEntry(context) {
	return {
		...context,
		items: { left: MAX_ITEMS },
		texts: { left: MAX_SIZE }
	};
}
function shownItems(list, context) {
	const shown = Math.min(list.length, context.items.left);
	context.items.left -= shown;
	if (shown === list.length) return list;
	lose(context, "value-left-out", `only the first ${shown} of ${list.length} items are shown`);
	return list.slice(0, shown);
}
function isGiven(value) {
	return typeof value === "string" ? value.trim() !== "" : value !== null && value !== void 0;
}
const MAX_QUOTED = 80;
function quoted(value) {
	const text = oneLine(typeof value === "string" ? value : kindOf(value)).toWellFormed();
	const letters = [...text.slice(0, 160)];
	return letters.length > MAX_QUOTED ? `'${letters.slice(0, MAX_QUOTED).join("")}…'` : `'${text}'`;
}
function kindOf(value) {
	if (Array.isArray(value)) return "a list";
	if (value === null || value === void 0) return "nothing";
	return typeof value === "object" ? "an object" : typeof value === "string" ? "a text" : String(value);
}
// server/wire/wire.ts
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function unwrap(value) {
	return isObject(value) && Object.hasOwn(value, "data") ? value.data : value;
}
function entryOf(value) {
	const bare = unwrap(value);
	if (!isObject(bare)) return null;
	const id = idOf(bare.documentId) ?? idOf(bare.id);
	if (id === null) return null;
	const attributes = bare.attributes;
	return {
		id,
		attributes: isObject(attributes) ? attributes : bare
	};
}
function rowsOf(value) {
	const bare = unwrap(value);
	if (Array.isArray(bare)) return bare;
	return bare === null || bare === void 0 ? [] : null;
}
function idOf(value) {
	if (typeof value === "string" && value !== "") return value;
	return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;
function textOf(value) {
	if (typeof value === "number" && Number.isFinite(value)) return String(value);
	if (typeof value !== "string") return null;
	const trimmed = value.replace(FORBIDDEN_CHARACTERS, "").trim().toWellFormed();
	return trimmed === "" ? null : trimmed;
}
function dateOf(value) {
	if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
	const time = Date.parse(value);
	return Number.isNaN(time) ? null : new Date(time).toISOString();
}
const MAX_JSON_TEXT = 2e5;
function jsonOf(value) {
	let decoded = value;
	for (let times = 0; times < 2 && typeof decoded === "string"; times += 1) {
		if (decoded.length > 2e5) return null;
		try {
			decoded = JSON.parse(decoded);
		} catch {
			return null;
		}
	}
	return decoded ?? null;
}
// server/addresses/safe-address.ts
const MAX_ADDRESS_LENGTH = 4096;
const SITE = "http://site.invalid";
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]|(?! )\p{Zs}/u;
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|5c)/i;
function addressText(value) {
	if (typeof value !== "string" || value.length > MAX_ADDRESS_LENGTH || FORBIDDEN.test(value)) return null;
	return value.trim() || null;
}
function externalUrl(text) {
	const authority = /^(?:https?:)?\/\/([^/?#]+)/i.exec(text)?.[1];
	if (authority === void 0 || authority.includes("@")) return null;
	const url = URL.parse(text.startsWith("//") ? `https:${text}` : text);
	if (url === null || url.protocol !== "https:" && url.protocol !== "http:") return null;
	return url.hostname === "" || url.username !== "" || url.password !== "" ? null : url;
}
function sitePath(text) {
	if (!text.startsWith("/") || text.startsWith("//")) return null;
	const url = URL.parse(text, SITE);
	if (url === null || url.origin !== SITE || url.pathname.startsWith("//")) return null;
	if (ENCODED_TRICK.test(url.pathname) || /^\/%2f/i.test(url.pathname)) return null;
	return decodeUri(url.pathname) === null ? null : url;
}
function pathQueryHash(url) {
	return url.pathname + url.search + url.hash;
}
function mailAddress(text) {
	const rest = text.slice(7).replaceAll(" ", "%20");
	if (rest === "" || /["<>`]/.test(rest)) return null;
	const withoutBodies = rest.replace(/([?&]body=)[^&]*/gi, "$1");
	return /%(?:[01][0-9a-f]|7f)/i.test(withoutBodies) ? null : URL.parse(`mailto:${rest}`)?.href ?? null;
}
function telephoneNumber(text) {
	const number = text.slice(4).replaceAll(" ", "");
	return /^\+?[0-9a-z*().,;=-]+$/i.test(number) ? `tel:${number}` : null;
}
function safeHref(value) {
	const text = addressText(value);
	if (text === null) return null;
	if (text.startsWith("#") || text.startsWith("?")) {
		const url = URL.parse(text, SITE);
		return url === null ? null : url.search + url.hash || text;
	}
	if (/^mailto:/i.test(text)) return mailAddress(text);
	if (/^tel:/i.test(text)) return telephoneNumber(text);
	const path = sitePath(text);
	return path === null ? externalUrl(text)?.href ?? null : pathQueryHash(path);
}
const MAX_SLUG_LENGTH = 200;
function safeSlug(value) {
	const text = addressText(value);
	if (text === null || text.length > MAX_SLUG_LENGTH || text.includes("/")) return null;
	return text === "." || text === ".." ? null : canonicalForm(text);
}
function safeRedirectTarget(value) {
	const text = addressText(value);
	if (text === null) return null;
	const path = sitePath(text);
	if (path !== null) return {
		to: pathQueryHash(path),
		external: false
	};
	const url = externalUrl(text);
	return url === null ? null : {
		to: url.href,
		external: true
	};
}
function isExecutableAddress(value) {
	if (typeof value !== "string") return false;
	const bare = value.slice(0, MAX_ADDRESS_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Z}]/gu, "");
	return /^(?:javascript|vbscript|data|blob|filesystem|file|view-source):/i.test(bare);
}
// server/addresses/redirect-table.ts
function buildRedirectTable(...rows) {
	return atOnce(redirectTableSteps(...rows));
}
function* redirectTableSteps(rows, origin = null, hosts = null) {
	const problems = [];
	const accepted = [];
	const seen = new Set();
	for (const row of rows) {
		yield;
		const decoded = decodeRule(row, origin, hosts);
		if (!decoded.ok) {
			problems.push(problem(row, decoded.error));
			continue;
		}
		const rule = decoded.value;
		const identity = `${rule.wildcard ? "**" : ""}${rule.from}`;
		if (seen.has(identity)) {
			problems.push(problem(row, {
				field: "from",
				reason: "an earlier row has the same path"
			}));
			continue;
		}
		seen.add(identity);
		accepted.push({
			row,
			rule
		});
	}
	return {
		table: tableOf((yield* without(yield* without(accepted, isOnLoop, "it leads back to itself"), isEndless, `it does not end within 20 redirects`)).map(({ rule }) => rule)),
		problems
	};
	function* without(rows, isBad, reason) {
		const table = tableOf(rows.map(({ rule }) => rule));
		const good = [];
		for (const row of rows) {
			if (isBad(row.rule, table)) problems.push(problem(row.row, {
				field: "to",
				reason
			}));
			else good.push(row);
			yield;
		}
		return good;
	}
}
function tableOf(rules) {
	const byFrom = (all) => new Map(all.map((rule) => [rule.from, rule]));
	return {
		exact: byFrom(rules.filter((rule) => !rule.wildcard)),
		wildcards: byFrom(rules.filter((rule) => rule.wildcard))
	};
}
function isOnLoop(rule, table) {
	return chainsFrom(rule, table).some(({ rules, end }) => end === null && rules.indexOf(rule) !== rules.lastIndexOf(rule));
}
function isEndless(rule, table) {
	return chainsFrom(rule, table).some(({ end }) => end === null);
}
function chainsFrom(rule, table) {
	const base = rule.from === "/" ? "" : rule.from.split("/").map(encodeURIComponent).join("/");
	return (rule.wildcard ? [base || "/", `${base}/a-path-that-no-row-names`] : [base || "/"]).map((path) => followRedirects(table, {
		path,
		search: "",
		hash: ""
	}));
}
function decodeRule(row, origin, hosts) {
	const from = typeof row.from === "string" ? row.from.trim() : null;
	if (!from?.startsWith("/") || from.startsWith("//")) return faultOf("from", "wants a path that begins with a slash");
	if (/[?#]/.test(from)) return faultOf("from", "wants a path without query and hash");
	const wildcard = from.endsWith("/**");
	const { id } = row;
	const key = pathKey(wildcard ? from.slice(0, -3) || "/" : from);
	if (key === null || key.includes("*") || !key.isWellFormed()) return faultOf("from", "cannot be read as a path");
	const statusCode = statusOf(row.statusCode);
	if (!statusCode) return faultOf("statusCode", `wants one of ${REDIRECT_STATUSES.join(", ")} or 410`);
	if (statusCode === 410) return ok({
		id,
		from: key,
		wildcard,
		to: "",
		joinsRest: false,
		external: false,
		statusCode
	});
	if (!isGiven(row.to)) return faultOf("to", `is empty, and only a row of the status 410 needs no target`);
	const to = splitAddress(textOf(row.to) ?? "");
	const joinsRest = to.path.endsWith("/**");
	if (joinsRest && !wildcard) return faultOf("to", "ends in /** but 'from' does not");
	const target = targetOf((joinsRest ? to.path.slice(0, -3) || "/" : to.path) + to.search + to.hash, origin);
	if (!target) return faultOf("to", "wants a path of the site or an http(s) address");
	if (target.external && new URL(target.to).host.includes("*")) return faultOf("to", "has a * in its host: the end /** needs its slash");
	if (target.external && hosts !== null && !isListed(new URL(target.to), hosts)) return faultOf("to", "leads to a host that REDIRECT_HOSTS does not name");
	return ok({
		id,
		from: key,
		wildcard,
		to: target.to,
		joinsRest,
		external: target.external,
		statusCode
	});
}
function targetOf(to, origin) {
	const target = safeRedirectTarget(to);
	if (!target?.external || origin === null) return target;
	const url = new URL(target.to);
	if (url.host !== new URL(origin).host) return target;
	const path = safeRedirectTarget(url.pathname + url.search + url.hash);
	return path?.external ? null : path;
}
function isListed({ host, hostname }, hosts) {
	return hosts.includes(host) || hosts.includes(hostname);
}
function statusOf(value) {
	const text = textOf(value);
	if (text === null) return value === null || value === void 0 || value === "" ? 307 : null;
	return [...REDIRECT_STATUSES, 410].find((status) => status === Number(text)) ?? null;
}
function faultOf(field, says) {
	return fail({
		field,
		reason: `'${field}' ${says}`
	});
}
function problem(row, fault) {
	return {
		id: row.id,
		from: textOf(row.from) ?? "",
		...fault
	};
}
// server/addresses/slug-of-name.ts
const ACCENTS = /[\u0300-\u036f]/g;
const SIGNS = /(?<=[\p{L}\p{N}\p{M}+#])[+#]/gu;
const APOSTROPHES = /['’ʼ`´]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;
const GERMAN = {
	ä: "ae",
	ö: "oe",
	ü: "ue",
	Ä: "Ae",
	Ö: "Oe",
	Ü: "Ue"
};
function slugOfName(name, locale) {
	return safeSlug(plainLetters((isGerman(locale) ? name.normalize("NFC").replace(/[äöüÄÖÜ]/g, (u) => GERMAN[u] ?? u) : name).normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase().replace(APOSTROPHES, "").replace(SIGNS, (sign) => sign === "+" ? " plus " : " sharp ")).split(BETWEEN_WORDS).filter(Boolean).join("-"));
}
function isGerman(locale) {
	return locale !== null && new Intl.Locale(locale).language === "de";
}
const LETTERS = {
	ß: "ss",
	æ: "ae",
	œ: "oe",
	ø: "o",
	đ: "d",
	ð: "d",
	þ: "th",
	ł: "l",
	ı: "i"
};
function plainLetters(text) {
	return text.replace(/[ßæœøđðþłı]/g, (letter) => LETTERS[letter] ?? letter);
}
// server/config/embed-providers.ts
const KNOWN_PROVIDERS = {
	youtube: {
		name: "YouTube",
		pages: [
			"https://www.youtube.com/watch?v={id}&t={start}",
			"https://youtu.be/{id}",
			"https://www.youtube.com/embed/{id}",
			"https://www.youtube.com/shorts/{id}",
			"https://www.youtube.com/live/{id}"
		],
		player: "https://www.youtube-nocookie.com/embed/{id}?autoplay=1&start={start}"
	},
	vimeo: {
		name: "Vimeo",
		pages: ["https://vimeo.com/{number}/{hash}", "https://player.vimeo.com/video/{number}?h={hash}"],
		player: "https://player.vimeo.com/video/{number}?h={hash}&dnt=1&autoplay=1"
	},
	dailymotion: {
		name: "Dailymotion",
		pages: [
			"https://www.dailymotion.com/video/{id}",
			"https://dai.ly/{id}",
			"https://www.dailymotion.com/embed/video/{id}"
		],
		player: "https://geo.dailymotion.com/player.html?video={id}"
	}
};
const DEFAULT_PROVIDERS = ["youtube", "vimeo"];
function providersIn(value) {
	const parts = value === "off" ? [] : value.split(",").filter((part) => part.trim() !== "");
	const providers = parts.map((part) => providerOf(part.trim())).filter((provider) => provider !== null);
	return providers.length === parts.length ? providers : null;
}
function providerOf(text) {
	const [name = "", ...templates] = text.split(/\s+/);
	if (templates.length === 0) return KNOWN_PROVIDERS[name.toLowerCase()] ?? null;
	const player = templates.at(-1) ?? "";
	return templates.length > 1 && templates.every(isTemplate) ? {
		name,
		pages: templates.slice(0, -1),
		player
	} : null;
}
const BLANKS = /\{(?:id|number)\}/;
function isTemplate(text) {
	const url = URL.parse(text);
	return url?.protocol === "https:" && url.username === "" && BLANKS.test(text) && !BLANKS.test(url.host);
}
// site/words/mails.ts
const mailWords = {
	en: {
		confirm: {
			subject: "Please confirm your subscription",
			text: "Somebody has entered this address to get our news by e-mail. Open this link and press the button to confirm it:",
			otherwise: "If it was not you, do nothing: no news will come. This link takes the address off the list:"
		},
		subjects: {
			contact: "Message from {name}",
			subscribe: "Subscription: {email}",
			"subscribe-confirm": "Subscription confirmed: {email}",
			"subscribe-leave": "Has left the list: {email}",
			"page-form": "Form: {topic}"
		},
		ready: {
			subject: "Ready to publish: {title}",
			preview: "Preview:",
			form: "Form:"
		},
		consent: "Consent",
		page: "Page"
	},
	de: {
		confirm: {
			subject: "Bitte bestätigen Sie Ihr Abonnement",
			text: "Jemand hat diese Adresse eingegeben, um Neues per E-Mail zu bekommen. Öffnen Sie diesen Link und drücken Sie den Knopf, um es zu bestätigen:",
			otherwise: "Wenn Sie das nicht waren, tun Sie nichts: Es kommt nichts weiter. Dieser Link nimmt die Adresse von der Liste:"
		},
		subjects: {
			contact: "Nachricht von {name}",
			subscribe: "Abonnement: {email}",
			"subscribe-confirm": "Abonnement bestätigt: {email}",
			"subscribe-leave": "Hat die Liste verlassen: {email}",
			"page-form": "Formular: {topic}"
		},
		ready: {
			subject: "Bereit zum Veröffentlichen: {title}",
			preview: "Vorschau:",
			form: "Formular:"
		},
		consent: "Einwilligung",
		page: "Seite"
	},
	ar: {
		confirm: {
			subject: "يرجى تأكيد اشتراكك",
			text: "أدخل شخص ما هذا العنوان لتصله أخبارنا بالبريد الإلكتروني. افتح هذا الرابط واضغط الزر للتأكيد:",
			otherwise: "إذا لم تكن أنت فلا تفعل شيئًا: لن تصلك أخبار. هذا الرابط يحذف العنوان من القائمة:"
		},
		subjects: {
			contact: "رسالة من {name}",
			subscribe: "اشتراك: {email}",
			"subscribe-confirm": "تأكيد اشتراك: {email}",
			"subscribe-leave": "مغادرة القائمة: {email}",
			"page-form": "نموذج: {topic}"
		},
		ready: {
			subject: "جاهز للنشر: {title}",
			preview: "المعاينة:",
			form: "النموذج:"
		},
		consent: "الموافقة",
		page: "الصفحة"
	}
};
// shared/routing/routes.ts
const routeTable = routes;
new Map(routeTable.map((route) => [route.id, route]));
// shared/content/content-types.ts
function componentsIn(types) {
	const found = new Set(types);
	for (const { fields } of found) for (const field of Object.values(fields)) {
		const component = componentOf(field);
		if (component) found.add(component);
	}
	return [...found].filter((type) => type.storage === "component");
}
const descriptions = {
	...contentTypes,
	...Object.fromEntries(componentsIn([...Object.values(contentTypes), ...zoneComponents]).map((one) => [one.name, one]))
};
// server/ops/named-error.ts
var NamedError = class extends Error {
	name = this.constructor.name;
};
// server/wire/described-types.ts
const described = Object.entries(descriptions);
const namedTypes = Object.entries(contentTypes).flatMap(([name, type]) => type.path === null ? [] : [[name, {
	...type,
	path: type.path
}]]);
new Map(namedTypes.map(([, type]) => [type.path, type]));
function descriptionOf(name) {
	const description = Object.hasOwn(descriptions, name) ? descriptions[name] : void 0;
	if (!description) throw new Error(`No content type '${name}'`);
	return description;
}
new Map(described.flatMap(([name, type]) => {
	const tag = type.path ?? ownerOf(name);
	return tag ? namesOf(name, type).map((model) => [model, tag]) : [];
}));
function namesOf(name, type) {
	return [name, ..."aliases" in type && type.aliases || []];
}
function ownerOf(name) {
	const shows = (field) => componentOf(field)?.name === name || "target" in field && field.target === name;
	const [, owner] = described.find(([, { fields }]) => Object.values(fields).some(shows)) ?? [];
	return owner?.path ?? null;
}
// server/content/slugs/entry-path.ts
function withoutRelation({ noun }, relation) {
	const entry = noun.replace(/^an? /, "");
	return `The ${entry} has no ${relation}, and its address begins with that of a ${relation}. Choose one, and save the ${entry}.`;
}
// server/addresses/decode-addresses.ts
function hrefAt(value, context, effect) {
	const href = safeHref(value);
	const file = href && !href.startsWith("/") ? context.mediaAddress(href) : null;
	if (href === null && isGiven(value)) lose(context, "address-refused", `${refusedLink(value)}: ${effect}`);
	return href && context.withVersion(file?.startsWith("/uploads/") ? file : href);
}
function mediumAt(value, context, changedAt = null) {
	const address = context.mediaAddress(value);
	if (address === null && isGiven(value)) lose(context, "address-refused", `${refusedMedium(value)}: the file is not shown`);
	return address && context.withVersion(address, changedAt);
}
function refusedLink(value) {
	return `${quoted(value)} is no address for a link (https, http, mailto, tel, or a path that begins with /)`;
}
function refusedMedium(value) {
	return `${quoted(value)} is no address for a file (of the CMS, or of an origin in MEDIA_ORIGINS)`;
}
// server/rich-text/sources/with-sections.ts
function sectionsIn(value) {
	const list = jsonOf(value);
	return Array.isArray(list) ? list : [];
}
function countBeforeBlocks(items) {
	const first = items.findIndex((item) => zoneBlock(item) !== void 0);
	return first < 0 ? items.length : first;
}
function withSections(body, sections) {
	const all = sectionsIn(sections);
	const before = all.slice(0, countBeforeBlocks(all));
	if (before.length === 0) return body;
	return [...isGiven(body) ? [{
		__component: "site.text-section",
		body
	}] : [], ...before];
}
// server/wire/decode-json.ts
const KEYS_OF_COMPONENTS = [
	"id",
	"documentId",
	"__component"
];
function isKeyOfComponents(key) {
	return KEYS_OF_COMPONENTS.includes(key);
}
const MAX_TEXT = 5e3;
function textAt(value, context) {
	const text = textOf(value);
	if (text !== null && text.length > MAX_TEXT) {
		lose(context, "value-left-out", `only the first ${MAX_TEXT} of ${text.length} characters are shown`);
		return text.slice(0, MAX_TEXT).toWellFormed();
	}
	if (text === null && isGiven(value) && typeof value !== "string") lose(context, "value-left-out", `${kindOf(value)} stands where a text should be: it is not shown`);
	return text;
}
function jsonAt(value, context) {
	const json = jsonOf(value);
	if (json === null && typeof value === "string" && isGiven(value) && value.trim() !== "null") {
		const { field } = context.at;
		if (value.length > 2e5) lose(context, "value-left-out", `'${field}' has more than ${MAX_JSON_TEXT} characters: it is not shown`);
		else lose(context, "broken-json", `'${field}' is no JSON: it counts as empty`);
	}
	return json;
}
function itemsAt(value, context) {
	const list = jsonAt(value, context);
	if (Array.isArray(list)) return shownItems(list, context).map((item, index) => [item, inside(context, index)]);
	if (isGiven(list)) lose(context, "value-left-out", `${kindOf(list)} is not shown: a list is needed`);
	return [];
}
function objectsAt(value, context, keys) {
	return itemsAt(value, context).flatMap(([item, at]) => {
		const object = objectIn(item, at, keys);
		return object ? [[object, at]] : [];
	});
}
function objectAt(value, context, keys) {
	return objectIn(jsonAt(value, context), context, keys);
}
function objectIn(value, context, keys) {
	if (!isObject(value)) {
		if (isGiven(value)) lose(context, "value-left-out", notShown(value, `an object with ${keys.join(", ")}`));
		return null;
	}
	const unknown = Object.keys(value).filter((key) => !keys.includes(key) && !isKeyOfComponents(key) && isGiven(value[key]));
	if (unknown.length > 0) lose(context, "value-left-out", `${unknown.map(quoted).join(", ")}: not shown, because the known keys are ${keys.join(", ")}`);
	return value;
}
function notShown(value, needed) {
	return `${typeof value === "string" ? quoted(value) : kindOf(value)} is not shown: ${needed} is needed`;
}
function isWhole({ fields, noun, needs = [], needsOneOf }, values, item, context) {
	const isWhole = needs.every((name) => hasContent(values[name])) && (needsOneOf?.some((name) => hasContent(values[name])) ?? true);
	const needed = (needsOneOf ?? needs).map((name) => nounOf(name, fields[name]));
	if (!isWhole) loseItem(context, item, noun, inWords(needed, needsOneOf ? "or" : "and"));
	return isWhole;
}
function loseItem(context, item, noun, needed) {
	const given = Object.entries(item).flatMap(([key, value]) => isKeyOfComponents(key) ? [] : [unwrap(value)]).find(isGiven);
	if (given === void 0) return;
	lose(context, "value-left-out", `${quoted([
		item.title,
		item.name,
		item.question,
		item.label,
		given
	].find((value) => textOf(value) !== null) ?? given)} is not shown: ${noun} needs ${needed}`);
}
function nounOf(name, field) {
	if (field?.noun) return withArticle(field.noun);
	return field?.kind === "list" ? field.component.noun : withArticle(name);
}
function withArticle(noun) {
	return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}
function inWords(nouns, word) {
	return [nouns.slice(0, -1).join(", "), ...nouns.slice(-1)].filter(Boolean).join(` ${word} `);
}
// server/rich-text/nodes/vocabulary.ts
const setOf = (words) => new Set(words.split(" "));
const BLOCKS = new Set(BLOCK_TAGS);
[...HEADING_TAGS, ...setOf("p pre summary figcaption caption dt oembed")];
setOf("li dd th td video audio oembed");
// server/rich-text/nodes/read-rich-text.ts
function plainText(tree) {
	const text = (node) => {
		if (typeof node === "string") return node;
		const inner = node[2].map(text).join("");
		return BLOCKS.has(node[0]) || node[0] === "br" ? ` ${inner} ` : inner;
	};
	return tree.map(text).join("").replace(/\s+/g, " ").trim();
}
function versionFiles(tree, withVersion) {
	for (const node of tree) {
		if (typeof node === "string") continue;
		const [, attributes, children] = node;
		for (const name of [
			"src",
			"href",
			"poster"
		]) {
			const address = attributes?.[name];
			if (attributes && typeof address === "string") Object.assign(attributes, { [name]: withVersion(address) });
		}
		versionFiles(children, withVersion);
	}
}
function unsizedPictures(tree) {
	return tree.flatMap((node) => {
		if (typeof node === "string") return [];
		const [tag, attributes, children] = node;
		if (tag !== "img") return unsizedPictures(children);
		return attributes?.width && attributes.height ? [] : [attributes];
	});
}
// shared/content/image.ts
const SHARE_PICTURE = {
	width: 1200,
	height: 630,
	type: "image/jpeg",
	maxBytes: 3e5
};
SHARE_PICTURE.width / 2, SHARE_PICTURE.height / 2;
function isScaled(src, width, height, bytes = 0) {
	if (bytes > 20971520) return false;
	if ((width ?? 0) * (height ?? 0) > 4e7) return false;
	if (Math.max(width ?? 0, height ?? 0) > 16e3) return false;
	if (src.startsWith("/") && !src.startsWith("/uploads/")) return false;
	return /\.(?:png|jpe?g)(?:$|[?#])/i.test(src);
}
// server/decode/decode-fields.ts
function decodeRelated(type, value, decodeRow, context) {
	return relatedRows(value, context).flatMap(([row, at]) => rowOrReport(type, row, decodeRow, at));
}
function relatedRows(value, context) {
	return shownItems(rowsOf(value) ?? [], context).map((row, index) => [row, inside(context, index)]);
}
function decodeRelation(type, value, decodeRow, context) {
	const row = unwrap(value);
	return row === null || row === void 0 ? null : rowOrReport(type, row, decodeRow, context)[0] ?? null;
}
function rowOrReport(type, row, decodeRow, context) {
	const at = atRow(context, placeOf(type, entryOf(row)));
	const decoded = decodeRow(row, at);
	if (decoded.ok) return [decoded.value];
	const { reason, field } = decoded.error;
	lose(field === null ? at : inside(at, field), "row-left-out", reason);
	return [];
}
function placeOf(type, entry) {
	const updatedAt = entry?.attributes.updatedAt;
	return {
		type,
		id: entry?.id ?? null,
		updatedAt: typeof updatedAt === "string" ? updatedAt : null
	};
}
function dateAt(value, context) {
	const date = dateOf(value);
	if (date === null && isGiven(value)) lose(context, "value-left-out", notShown(value, "a date such as 2025-05-06"));
	return date;
}
function slugAt(value, context) {
	const text = textAt(value, context);
	const slug = safeSlug(text);
	if (slug === null && text !== null) lose(context, "value-left-out", `${quoted(text)} is no slug: it needs at most 200 letters without a slash`);
	return slug;
}
function flagAt(value, context) {
	if (typeof value !== "boolean" && isGiven(value)) lose(context, "value-left-out", `${quoted(value)} is neither true nor false: it counts as false`);
	return value === true;
}
function numberAt(value, context) {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	if (typeof number === "number" && Number.isFinite(number)) return number;
	if (isGiven(number)) lose(context, "value-left-out", notShown(value, "a number such as 1250000"));
	return null;
}
function choiceAt(value, context, of) {
	const chosen = of.find((one) => one === value) ?? null;
	if (chosen === null && isGiven(value)) lose(context, "value-left-out", notShown(value, `one of ${of.join(", ")}`));
	return chosen;
}
function textsAt(value, context) {
	return itemsAt(value, context).flatMap(([item, at]) => {
		const isComponent = isObject(item) && Object.hasOwn(item, "text");
		const place = isComponent ? inside(at, "text") : at;
		return noted("text", textAt(isComponent ? item.text : item, place), place) ?? [];
	});
}
function richTextAt(value, context) {
	const loseHere = (kind, reason) => lose(context, kind, reason);
	const { left } = context.texts;
	const { tree, size } = cutText(context.richText(value, loseHere), left, loseHere);
	context.texts.left = {
		nodes: left.nodes - size.nodes,
		characters: left.characters - size.characters
	};
	versionFiles(tree, context.withVersion);
	for (const picture of unsizedPictures(tree)) context.unsized(picture);
	return noted("rich-text", tree, context);
}
function imageOf(value, context) {
	const bare = unwrap(value);
	const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
	const src = attributes && addressOfMedium(attributes, context);
	if (!attributes || !src) return null;
	const width = pixelsOf(attributes.width);
	const height = pixelsOf(attributes.height);
	const scaled = isScaled(src, width, height, typeof attributes.size === "number" ? attributes.size * 1e3 : void 0);
	return {
		src,
		alt: textOf(attributes.alternativeText) ?? "",
		width,
		height,
		formats: scaled ? [] : formatsOf(attributes, context),
		scaled,
		...focusOf(attributes.focalPoint)
	};
}
function focusOf(value) {
	const { x, y } = isObject(value) ? value : {};
	return [x, y].every((part) => typeof part === "number" && part >= 0 && part <= 100) ? { focus: `${Math.round(Number(x) / 25)}-${Math.round(Number(y) / 25)}` } : {};
}
function mediaAddressOf(value, context) {
	const bare = unwrap(value);
	if (typeof bare === "string") return mediumAt(bare, context);
	const first = Array.isArray(bare) ? bare[0] : bare;
	const attributes = mediaAttributes(first);
	if (attributes) return addressOfMedium(attributes, context);
	if (isGiven(first)) lose(context, "value-left-out", notShown(first, "a file or its address"));
	return null;
}
function addressOfMedium(attributes, context) {
	if (!isGiven(attributes.url)) lose(context, "value-left-out", "a file without an address is not shown");
	return noted("file", mediumAt(attributes.url, context, changeOf(attributes)), context);
}
function changeOf({ createdAt, updatedAt }) {
	return createdAt === updatedAt ? null : dateOf(updatedAt);
}
function mediaAddressesOf(value, context) {
	return relatedRows(value, context).flatMap(([row, at]) => mediaAddressOf(row, at) ?? []);
}
function labelledFilesOf(value, context) {
	return relatedRows(value, context).flatMap(([row, at]) => {
		const src = mediaAddressOf(row, at);
		const { caption, alternativeText } = mediaAttributes(row) ?? {};
		const words = noted("text", textOf(caption), context);
		return src ? [{
			src,
			caption: words,
			alt: textOf(alternativeText) ?? ""
		}] : [];
	});
}
function mediaAttributes(value) {
	const entry = entryOf(value);
	if (entry) return entry.attributes;
	return isObject(value) ? value : null;
}
function formatsOf(attributes, context) {
	const formats = jsonOf(attributes.formats);
	if (!isObject(formats)) return [];
	return Object.values(formats).flatMap((format) => {
		if (!isObject(format)) return [];
		const src = context.mediaAddress(format.url);
		const width = pixelsOf(format.width);
		const height = pixelsOf(format.height);
		if (!src || !width || !height) return [];
		return [{
			src: context.withVersion(src, changeOf(attributes)),
			width,
			height
		}];
	}).sort((a, b) => a.width - b.width);
}
function pixelsOf(value) {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : null;
}
const LINK_KEYS = [
	"title",
	"href",
	"icon",
	"text",
	"link"
];
function navigationOf(value, context) {
	return objectsAt(value, context, [
		"title",
		"href",
		"icon",
		"children",
		"link"
	]).flatMap(([item, at]) => {
		const children = objectsAt(item.children, inside(at, "children"), LINK_KEYS).flatMap(([child, below]) => {
			const link = linkOf(child, below, "a link", null);
			const at = inside(below, "text");
			const text = noted("text", textAt(child.text, at), at);
			return link ? [{
				...link,
				...text && { text }
			}] : [];
		});
		const link = linkOf(item, at, "a link, with all links below it,", children[0]?.href ?? null);
		return link ? [{
			...link,
			children
		}] : [];
	});
}
function linkOf(item, context, noun, otherwise) {
	const at = inside(context, "title");
	const title = noted("text", textAt(item.title, at), at);
	const effect = otherwise ? `the title leads to '${otherwise}'` : "the link is not shown";
	const href = hrefAt(item.href ?? item.link, inside(context, "href"), effect) ?? otherwise;
	const icon = mediaAddressOf(item.icon, inside(context, "icon"));
	if (title && href) return {
		title,
		href,
		icon
	};
	loseItem(context, item, noun, "a title and an address");
	return null;
}
const MAX_SCHEMA = 2e5;
function schemaOf(value, context) {
	const schema = jsonAt(value, context);
	if (!isObject(schema) && !Array.isArray(schema)) {
		if (isGiven(schema)) lose(context, "value-left-out", notShown(schema, "an object of JSON-LD"));
		return null;
	}
	let refused;
	try {
		const isTooLong = JSON.stringify(schema).length > MAX_SCHEMA;
		const json = JSON.stringify(isTooLong ? null : schema, (key, inner) => {
			if (key !== "__proto__" && !isExecutableAddress(inner)) return typeof inner === "string" ? context.withVersion(inner) : inner;
			refused ??= inner;
		});
		if (isTooLong) {
			lose(context, "value-left-out", `the JSON-LD has more than ${MAX_SCHEMA} characters and is left out`);
			return null;
		}
		if (refused !== void 0) lose(context, "value-left-out", `${quoted(refused)} is left out of the JSON-LD`);
		return json;
	} catch {
		lose(context, "value-left-out", "the JSON-LD is nested too deeply and is left out");
		return null;
	}
}
// server/decode/decode-entity.ts
const DECODERS = {
	slug: slugAt,
	date: dateAt,
	flag: flagAt,
	number: numberAt,
	"rich-text": richTextAt,
	texts: textsAt,
	navigation: navigationOf,
	"json-ld": schemaOf,
	picture: imageOf,
	file: mediaAddressOf,
	files: mediaAddressesOf,
	"labelled-files": labelledFilesOf,
	json: null,
	order: null,
	moment: null,
	lines: null
};
const noLink = () => "the entry has no link";
function decodeFields(type, attributes, context, unlinked = noLink) {
	const values = {};
	for (const [name, field] of Object.entries(type.fields)) {
		const decode = decoderOf(type, name, field, unlinked);
		if (!decode) continue;
		const followedBy = "followedBy" in field ? field.followedBy : void 0;
		const value = followedBy ? withSections(attributes[name], attributes[followedBy]) : attributes[name];
		values[name] = followedBy && context.noteField ? [...richTextAt(attributes[name], inside(context, name)), ...textsOf(sectionsBefore(attributes[followedBy], inside(context, followedBy)), context)] : decode(value, inside(context, name));
		for (const other of field.orElse ?? []) values[name] ??= decode(attributes[other], inside(context, other));
	}
	return values;
}
function entityDecoder(type) {
	const required = Object.entries(type.fields).flatMap(([name, field]) => field.required ? [name] : []);
	const { noun, needsOneOf } = type;
	return (row, context) => {
		const entry = entryOf(row);
		if (!entry) return fail({
			reason: "it has no id",
			field: null
		});
		const { id, attributes } = entry;
		const values = decodeFields(type, attributes, context);
		const missing = required.find((name) => !values[name]);
		if (missing) return fail({
			reason: `${noun} needs ${inWords(required.map(withArticle), "and")}`,
			field: missing
		});
		if (needsOneOf && !needsOneOf.some((name) => values[name])) {
			const reason = `${noun} needs ${inWords(needsOneOf.map(withArticle), "or")}`;
			return fail({
				reason,
				field: needsOneOf[0] ?? null
			});
		}
		return ok({
			id,
			...values
		});
	};
}
function decodeItem(component, item, context) {
	const { noun, needs = [] } = component;
	const values = decodeFields(component, item, context, (name) => needs.includes(name) ? "the link is not shown" : `the ${bareNoun(noun)} is shown without a link`);
	return isWhole(component, values, item, context) ? values : null;
}
function textsOf(sections, context) {
	if (context.noteField) return sections.flatMap(([section, at]) => richTextAt([section], at));
	return richTextAt(sections.map(([section]) => section), context);
}
function sectionsBefore(value, context) {
	const all = sectionsIn(value);
	return all.slice(0, countBeforeBlocks(all)).map((section, index) => [section, inside(context, index)]);
}
function zonePartsAt(value, context, continuesText) {
	const all = sectionsIn(value);
	const skipped = continuesText ? countBeforeBlocks(all) : 0;
	if (skipped === all.length) return [];
	const parts = [];
	const shown = new Set();
	let texts = [];
	const endTexts = () => {
		const text = texts.length > 0 ? textsOf(texts, context) : [];
		if (text.length > 0) parts.push({ text });
		texts = [];
	};
	for (const [item, at] of itemsAt(value, context).slice(skipped)) {
		const known = zoneBlock(item);
		if (!known) {
			texts.push([item, at]);
			continue;
		}
		endTexts();
		const { block, component } = known;
		const { name, hasForm } = block;
		const isAgain = shown.has(name);
		const object = objectAt(item, at, keysOf(component));
		const data = object && decodeItem(component, object, at);
		if (isAgain && hasForm === "once") lose(at, "value-left-out", "a page shows this block once, at its first place");
		else if (data) parts.push({
			block: name,
			id: kebabOf(name),
			data,
			...hasForm && { hasForm: true }
		});
		shown.add(name);
	}
	endTexts();
	return parts;
}
function keysOf({ fields }) {
	return [...Object.keys(fields), ...Object.values(fields).flatMap(({ orElse = [] }) => orElse)];
}
function decoderOf(type, name, field, unlinked) {
	switch (field.kind) {
		case "text":
			if ("isCode" in field && field.isCode) return textAt;
			return (value, context) => noted("text", textAt(value, context), context);
		case "address": return (value, context) => hrefAt(value, context, unlinked(name));
		case "choice": return (value, context) => choiceAt(value, context, "of" in field && field.of || []);
		case "object": return (value, context) => {
			const object = objectAt(value, context, keysOf(field.component));
			return object && decodeItem(field.component, object, context);
		};
		case "list": return (value, context) => objectsAt(value, context, keysOf(field.component)).flatMap(([item, at]) => decodeItem(field.component, item, at) ?? []);
		case "zone": {
			const continuesText = Object.values(type.fields).some((other) => "followedBy" in other && other.followedBy === name);
			return (value, context) => zonePartsAt(value, context, continuesText);
		}
		case "relation":
		case "component": {
			const decodeRow = rowDecoder(field.kind === "relation" ? descriptionOf(field.target) : field.component, field.reads);
			const decode = isMany(field) ? decodeRelated : decodeRelation;
			return (value, context) => decode(`${type.path}.${name}`, value, decodeRow, context);
		}
		default: return DECODERS[field.kind];
	}
}
const rowDecoders = new Map();
function rowDecoder(type, reads) {
	const known = rowDecoders.get(type)?.get(String(reads));
	if (known) return known;
	const fields = Object.entries(type.fields).filter(([field]) => !reads || reads.includes(field));
	const decode = entityDecoder({
		...type,
		fields: Object.fromEntries(fields)
	});
	rowDecoders.set(type, new Map(rowDecoders.get(type)).set(String(reads), decode));
	return decode;
}
function bareNoun(noun) {
	return noun.replace(/^an? /, "");
}
// server/rich-text/tree/hast-nodes.ts
function element(tagName, children, properties = {}) {
	return {
		type: "element",
		tagName,
		properties,
		children: [...children]
	};
}
function text(value) {
	return {
		type: "text",
		value
	};
}
// server/rich-text/tree/normalize-ids.ts
const RESERVED_IDS = setOf("root app page-data content main header footer nav navigation menu search top title form error announcer contacts subscribe subscribe-email faq countries payments directions partners metrics earn-more earnmore hero");
const RESERVED_PATTERN = /^[_:]|^(?:category|corridor)-|-title$|^(?:contact|subscribe)-(?:name|email|company|topic|message|website)(?:-error)?$/;
function notReserved(id) {
	return RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id) ? `section-${id}` : id;
}
function normalizedId(source) {
	return notReserved([...source.replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-")].slice(0, 80).join("").replace(/^-+/, "") || "section");
}
// server/decode/decode-landing.ts
const BLOCK_NAMES = blocks.map(({ name }) => name);
const isBlockName = (name) => BLOCK_NAMES.some((known) => known === name);
const POSITION_KEYS = Object.keys(siteTypes.landing.fields.positionsAndCustomBlocks.component.fields);
function positions(value, context) {
	const list = jsonAt(value, context);
	const items = itemsAt(list, context);
	if (!Array.isArray(list)) return null;
	const placed = new Set();
	const ids = new Set();
	const hidden = new Set();
	const shown = items.flatMap(([item, at], index) => {
		const position = typeof item === "string" ? { block: item } : objectAt(item, at, [...POSITION_KEYS, "id"]);
		if (!position) return [];
		const { block: name, custom, anchor, id } = position;
		if (position.hidden === true || !at.isShown(position, at)) {
			if (isBlockName(name)) hidden.add(name);
			return [];
		}
		const idKey = anchor !== void 0 && typeof id !== "string" || isGiven(anchor) ? "anchor" : "id";
		if (isGiven(name) && name !== "ownText") {
			if (isGiven(custom)) lose(inside(at, "custom"), "value-left-out", "the text is not shown: a position has a block or a text");
			if (!isBlockName(name)) lose(at, "value-left-out", notShown(name, `one of ${BLOCK_NAMES.join(", ")}`));
			else if (placed.has(name)) lose(at, "value-left-out", `the block '${name}' is named twice: it is shown at the first place`);
			else {
				placed.add(name);
				return [{ block: name }];
			}
			return [];
		}
		const text = richTextAt(custom, inside(at, "custom"));
		const own = textAt(position[idKey], inside(at, idKey));
		const normalized = normalizedId(own ?? `block-${index + 1}`);
		if (own !== null && (own !== normalized || ids.has(own))) {
			const why = ids.has(own) ? "another block has it" : "the site uses it, or it has characters that an id may not have";
			const id = ids.has(own) ? "an id with a number" : quoted(normalized);
			lose(inside(at, idKey), "value-left-out", `the id ${quoted(own)} becomes ${id}, because ${why}`);
		}
		ids.add(normalized);
		return text.length > 0 ? [{
			custom: text,
			id: normalized
		}] : [];
	});
	if (shown.length > 0 || hidden.size === 0) return shown;
	return BLOCK_NAMES.filter((name) => !hidden.has(name)).map((block) => ({ block }));
}
// shared/content/sentence-text.ts
function sentenceText(nodes) {
	return wordsOf(nodes).replace(/\s+/g, " ").trim().normalize("NFC");
}
function wordsOf(nodes) {
	return nodes.map((node) => typeof node === "string" ? node : wordsOf(node[2])).join("");
}
// shared/forms/form-limits.ts
const MAX_LENGTHS = {
	name: 120,
	email: 254,
	company: 200,
	topic: 200,
	message: 5e3,
	consent: 1e3
};
// shared/labels/page-language.ts
const CATALOGUE_NAMES = [
	"en",
	"de",
	"ar"
];
function catalogueFor(locale) {
	try {
		const { language } = new Intl.Locale(locale);
		return CATALOGUE_NAMES.find((name) => name === language) ?? null;
	} catch {
		return null;
	}
}
entityDecoder(siteTypes.social);
const INLINE = new Set([
	"a",
	"em",
	"strong",
	"abbr",
	"cite",
	"q",
	"small",
	"u"
]);
function consentSentence(tree, context) {
	const nodes = withoutBlocks(tree);
	const text = sentenceText(nodes);
	if (text === "") return null;
	if (text.length <= MAX_LENGTHS.consent) return nodes;
	lose(context, "value-left-out", `the sentence has more than ${MAX_LENGTHS.consent} characters, and its end is not shown`);
	return [text.slice(0, MAX_LENGTHS.consent).toWellFormed().trim()];
}
function withoutBlocks(tree) {
	return tree.flatMap((node, index) => {
		if (typeof node === "string") return [node];
		const [tag, attributes, children] = node;
		if (INLINE.has(tag)) return [[
			tag,
			attributes,
			withoutBlocks(children)
		]];
		const inner = tag === "p" ? withoutBlocks(children) : [plainText([node])];
		return index === 0 ? inner : [" ", ...inner];
	});
}
Object.keys(siteTypes.settings.fields.labels.component.fields);
// server/rich-text/tree/embeds.ts
const BLANK = /^\{(id|number|hash|start)\}$/;
const FORMS = {
	id: /^[\w-]{1,64}$/,
	number: /^\d{1,20}$/,
	hash: /^[\w-]{1,64}$/
};
const NO_NAMES = new Set([
	"videoseries",
	"live_stream",
	"playlist"
]);
const STARTS = [
	"start",
	"t",
	"time_continue"
];
function embedAt(address, providers) {
	const url = URL.parse(safeHref(address) ?? "");
	if (!url) return null;
	for (const { name, pages, player } of providers) {
		const values = [...pages, player].map((template) => valuesIn(url, template)).find((found) => found !== null);
		if (values) return {
			provider: name,
			page: filled(pages[0] ?? player, values),
			player: filled(player, values)
		};
	}
	return null;
}
function valuesIn(url, template) {
	const form = new URL(template);
	if (hostOf(url) !== hostOf(form)) return null;
	const values = {};
	const parts = segmentsOf(url);
	const expected = segmentsOf(form);
	if (parts.length > expected.length) return null;
	for (const [index, segment] of expected.entries()) if (!fits(segment, parts[index], values)) return null;
	for (const [key, value] of form.searchParams) if (!fits(value, url.searchParams.get(key), values, true)) return null;
	const start = STARTS.map((key) => secondsOf(url.searchParams.get(key))).find((seconds) => seconds > 0);
	return start === void 0 ? values : {
		...values,
		start: String(start)
	};
}
function fits(expected, given, values, isQuery = false) {
	const name = BLANK.exec(expected)?.[1];
	if (name === void 0) return isQuery || expected === given;
	if (name === "start") return true;
	if (given === null || given === void 0) return name === "hash";
	if (!FORMS[name]?.test(given) || NO_NAMES.has(given)) return isQuery && name === "hash";
	values[name] = given;
	return true;
}
function filled(template, values) {
	const url = new URL(template);
	const givenFor = (part) => {
		const name = BLANK.exec(part)?.[1];
		return name === void 0 ? part : values[name];
	};
	url.pathname = segmentsOf(url).flatMap((segment) => givenFor(segment) ?? []).join("/");
	for (const [key, value] of [...url.searchParams]) {
		const given = givenFor(value);
		if (given === void 0) url.searchParams.delete(key);
		else url.searchParams.set(key, given);
	}
	return url.href;
}
function hostOf({ host }) {
	return host.replace(/^(?:www|m|music)\./, "");
}
function segmentsOf({ pathname }) {
	return pathname.split("/").filter(Boolean).map((segment) => segment.replaceAll("%7B", "{").replaceAll("%7D", "}"));
}
function secondsOf(time) {
	const [whole, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? "") ?? [];
	return whole ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : 0;
}
setOf("root div section article main header footer nav address center fieldset aside figure li td th dd blockquote details");
setOf("ul ol dl table thead tbody tfoot tr");
setOf("iframe oembed embed object");
setOf("captions subtitles descriptions chapters");
const FILM = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#]|$)/i;
const SOUND = /\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i;
function playerTag(address) {
	return FILM.test(address) ? "video" : SOUND.test(address) ? "audio" : null;
}
// server/rich-text/sources/texts-for-readers.ts
const OTHER_NAMES = {
	"rich-text": "text",
	slider: "gallery",
	image: "media"
};
function sectionKind(component) {
	const own = (component.split(".").at(-1) ?? "").replace(/-section$/, "");
	return sections$1.find(({ name }) => name === `${OTHER_NAMES[own] ?? own}-section`);
}
setOf("title subtitle heading headline text body content description caption quote name label author question answer eyebrow note lead intro summary button alternativeText alt html markdown code");
// server/rich-text/sources/section-kinds.ts
function sectionElements(section, tools, context) {
	const kind = sectionKind(String(section.__component));
	if (!kind) return null;
	const leaveOut = (reason) => lose(context, "value-left-out", reason);
	const values = valuesOf(kind, section, context);
	const shown = kind.read(values, {
		...tools,
		leaveOut,
		quoted,
		text,
		element,
		media,
		figure
	});
	if (shown.length === 0) leaveOut("it has no content, and nothing is shown");
	return shown;
}
function valuesOf({ fields }, given, context) {
	const unread = new Set(Object.keys(given).filter((key) => !isKeyOfComponents(key) && isGiven(given[key])));
	const values = Object.entries(fields).map(([name, field]) => {
		const key = [name, ...field.orElse ?? []].find((one) => isGiven(given[one])) ?? name;
		unread.delete(key);
		const value = isGiven(given[key]) ? given[key] : void 0;
		return [name, field.kind === "list" ? itemsOf(field.component, value, inside(context, key)) : value];
	});
	if (unread.size > 0) lose(context, "value-left-out", `${[...unread].map(quoted).join(", ")} is not shown`);
	return Object.fromEntries(values);
}
function itemsOf(component, value, context) {
	return itemsAt(unwrap(value), context).flatMap(([item, at]) => {
		if (isObject(item)) {
			const values = valuesOf(component, item, at);
			return isWhole(component, values, item, at) ? [values] : [];
		}
		if (isGiven(item)) lose(at, "value-left-out", notShown(item, component.noun));
		return [];
	});
}
function media(value, { poster, captions } = {}) {
	const list = unwrap(value);
	return (Array.isArray(list) ? list : [list]).flatMap((file) => {
		const medium = mediumOf(file);
		if (!medium) return [];
		return [{
			shown: shownMedium(medium, mediumOf(poster)?.url, mediumOf(captions)?.url),
			caption: medium.caption
		}];
	});
}
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)(?:[?#]|$)/i;
function mediumOf(value) {
	const bare = unwrap(value);
	const first = Array.isArray(bare) ? bare[0] : bare;
	const object = typeof first === "string" ? { url: first } : first;
	const attributes = isObject(object) && isObject(object.attributes) ? object.attributes : object;
	if (!isObject(attributes) || !isGiven(attributes.url)) return null;
	const { url, mime, alternativeText, caption, width, height } = attributes;
	return {
		url: String(url),
		mime: String(mime ?? ""),
		alt: textOf(alternativeText) ?? "",
		caption,
		size: typeof width === "number" && typeof height === "number" ? {
			width,
			height
		} : {}
	};
}
function shownMedium({ url, mime, alt, size }, poster, captions) {
	const tag = /^(?:video|audio)(?=\/)/.exec(mime)?.[0] ?? playerTag(url);
	if (tag) return element(tag, captions ? [element("track", [], {
		src: captions,
		kind: "captions"
	})] : [], {
		src: url,
		...alt ? { ariaLabel: alt } : {},
		...poster ? { poster } : {}
	});
	if (mime === "" ? PICTURE.test(url) : mime.startsWith("image/")) return element("img", [], {
		src: url,
		alt,
		...size
	});
	return element("p", [element("a", [text(alt || (url.split("/").at(-1) ?? url))], { href: url })]);
}
function figure(content, caption, properties = {}) {
	const [only] = content;
	if (only?.type === "element" && only.tagName === "p") return caption === null ? [...content] : [...content, element("p", [text(caption)])];
	const words = caption === null ? [] : [element("figcaption", [text(caption)])];
	return [element("figure", [...content, ...words], properties)];
}
// server/rich-text/sources/source-bounds.ts
const MAX_LENGTH = 2e5;
const MAX_LINES = 4e3;
const MAX_COMPARISONS = 36e6;
var TooComplexError = class extends NamedError {
	constructor(what) {
		super(`Rich text ${what}`);
	}
};
function isHtml(source) {
	const start = source.replace(/^(?:\s*<!--[\s\S]*?-->)+/, "").trimStart();
	return /^<(?:!doctype|[a-z][a-z0-9-]*)(?=[\s/>])/i.test(start);
}
function checkSource(source) {
	if (source.length > 2e5) throw new TooComplexError(`is longer than ${MAX_LENGTH} characters`);
}
function checkLines(source) {
	if (source.split(/\r\n?|\n/).length > MAX_LINES) throw new TooComplexError(`has more than ${MAX_LINES} lines`);
}
function checkMarkdown(source) {
	let comparisons = 0;
	for (const paragraph of source.split(/\n[ \t]*\n/)) comparisons += markersIn(paragraph) ** 2;
	if (comparisons > MAX_COMPARISONS) throw new TooComplexError("has too many markers in one paragraph");
	for (const [prefix] of source.matchAll(/^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20,}/gm)) if ((prefix.match(/[>*+.)-]/g)?.length ?? 0) > 100) throw tooDeep();
}
function markersIn(text) {
	return text.match(/[*_~`[\]<!&@\\|]|www\.|https?:|^[ \t]*(?:[>+-]|\d+[.)])/gm)?.length ?? 0;
}
function tooDeep() {
	return new TooComplexError(`is nested deeper than 100 elements`);
}
// shared/routing/match-route.ts
function matchRoute(routes, path) {
	const segments = path.split("/").slice(1);
	let best = null;
	for (const route of routes) {
		const pattern = route.path.split("/").slice(1);
		if (pattern.length !== segments.length) continue;
		const match = matchPattern(pattern, segments);
		if (match && match.fixed > (best?.fixed ?? -1)) best = {
			route,
			...match
		};
	}
	return best && {
		route: best.route,
		params: best.params
	};
}
function matchPattern(pattern, segments) {
	const params = {};
	let fixed = 0;
	for (let index = 0; index < pattern.length; index += 1) {
		const part = pattern[index] ?? "";
		const segment = segments[index] ?? "";
		if (part.startsWith(":")) {
			const value = decodeUri(segment);
			if (!value) return null;
			params[part.slice(1)] = value;
		} else if (part === segment) fixed += 1;
		else return null;
	}
	return {
		params,
		fixed
	};
}
// cms/site-rules.ts
const NO_CATEGORY = withoutRelation(siteTypes.article, "category");
exports.CATALOGUE_NAMES = CATALOGUE_NAMES;
exports.DEFAULT_PROVIDERS = DEFAULT_PROVIDERS;
exports.MAX_LENGTHS = MAX_LENGTHS;
exports.NO_CATEGORY = NO_CATEGORY;
exports.WORDS = WORDS;
exports.atEntry = atEntry;
exports.blocks = blocks;
exports.buildRedirectTable = buildRedirectTable;
exports.catalogueFor = catalogueFor;
exports.checkLines = checkLines;
exports.checkMarkdown = checkMarkdown;
exports.checkSource = checkSource;
exports.consentSentence = consentSentence;
exports.descriptions = descriptions;
exports.embedAt = embedAt;
exports.entityDecoder = entityDecoder;
exports.fixedAddressOf = fixedAddressOf;
exports.isHtml = isHtml;
exports.mailWords = mailWords;
exports.matchRoute = matchRoute;
exports.pathKey = pathKey;
exports.positions = positions;
exports.providersIn = providersIn;
exports.routeTable = routeTable;
exports.sectionElements = sectionElements;
exports.siteRedirects = siteRedirects;
exports.slugOfName = slugOfName;
