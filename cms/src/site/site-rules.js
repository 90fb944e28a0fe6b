// Written by `npm run cms:schemas` of the site.
URL.parse ??= (...parts) => URL.canParse(...parts) ? new URL(...parts) : null;
Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
// shared/content/sentence-text.ts
function sentenceText(nodes) {
	return textOf$1(nodes).replace(/\s+/g, " ").trim().normalize("NFC");
}
function textOf$1(nodes) {
	return nodes.map((node) => typeof node === "string" ? node : textOf$1(node[2])).join("");
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
// server/content/rich-text/vocabulary.ts
const BLOCKS = new Set(BLOCK_TAGS);
[...HEADING_TAGS];
// server/content/rich-text/read-rich-text.ts
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
// server/ops/unprintable.ts
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
// server/ops/one-line.ts
function oneLine(text) {
	return text.replace(UNPRINTABLE, " ").replace(/ {2,}/g, " ").trim();
}
// server/content/rich-text/cut-nodes.ts
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
// server/content/decode/decode-context.ts
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
		}
	};
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
// server/content/decode/decode-consent.ts
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
// shared/result.ts
const ok = (value) => ({
	ok: true,
	value
});
const fail = (error) => ({
	ok: false,
	error
});
// shared/labels/en.ts
const en = {
	skipToContent: "Skip to content",
	mainNavigation: "Main",
	menu: "Menu",
	closeMenu: "Close",
	allOf: "All: {title}",
	footerNavigation: "Footer",
	networks: "Networks",
	followUs: "Follow us",
	colours: "Colours",
	light: "Light",
	systemTheme: "System theme",
	dark: "Dark",
	breadcrumb: "Breadcrumb",
	loading: "Loading…",
	questions: "Questions and answers",
	waysToPay: "Ways to pay",
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
		one: "Map of the world with a corridor to {count} country",
		other: "Map of the world with corridors between {count} countries"
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
// shared/labels/en-answers.ts
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
	checkFields: "Please check the marked fields.",
	trapFilled: "This must stay empty, and something had filled it in. Please send the form once more.",
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
// shared/labels/en-forms.ts
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
// shared/labels/word-names.ts
const FORMS$1 = [
	"zero",
	"one",
	"two",
	"few",
	"many",
	"other"
];
const WORD_NAMES = Object.entries({
	...en,
	...enForms,
	...enAnswers
}).flatMap(([name, text]) => typeof text === "string" ? [name] : [name, ...FORMS$1.map((form) => `${name}_${form}`)]).sort();
// shared/content/landing-blocks.ts
const LANDING_BLOCKS = [
	"header",
	"countries",
	"payments",
	"directions",
	"partners",
	"metrics",
	"earnMore",
	"contacts",
	"faq",
	"subscribe"
];
const OWN_TEXT = "ownText";
const OTHER_BLOCKS = [
	"countries",
	"metrics",
	"subscribe"
];
const jsonBlockNames = LANDING_BLOCKS.filter((name) => !OTHER_BLOCKS.some((other) => other === name));
function blockField(name) {
	return `${name}Block`;
}
function perBlockField(make) {
	return Object.fromEntries(jsonBlockNames.map((name) => [blockField(name), make(name)]));
}
// shared/content/components.ts
function component(noun, fields) {
	return {
		path: null,
		storage: "component",
		file: null,
		noun,
		readBy: [],
		fields
	};
}
const link = {
	kind: "component",
	target: "link"
};
const text$1 = { kind: "text" };
const icon = { kind: "file" };
const address = { kind: "address" };
const blockComponents = {
	"header-block": component("the first block", {
		eyebrow: text$1,
		title: text$1,
		text: text$1,
		primary: link,
		secondary: link
	}),
	"payments-block": component("a block of payment methods", {
		title: text$1,
		text: text$1,
		link
	}),
	"directions-block": component("a block of directions", {
		title: text$1,
		text: text$1,
		items: {
			kind: "component",
			target: "direction",
			many: true
		}
	}),
	"partners-block": component("a block of partners", {
		title: text$1,
		text: text$1,
		items: {
			kind: "component",
			target: "partner",
			many: true
		}
	}),
	"earn-more-block": component("a block about earning", {
		title: text$1,
		text: text$1,
		steps: {
			kind: "component",
			target: "titled-text",
			many: true
		},
		link
	}),
	"contacts-block": component("a block of contacts", {
		title: text$1,
		text: text$1,
		email: text$1,
		phone: text$1,
		address: text$1
	}),
	"faq-block": component("a block of questions", {
		title: text$1,
		items: {
			kind: "component",
			target: "question",
			many: true
		}
	})
};
const caption = text$1;
const poster = { kind: "picture" };
const sectionComponents = {
	"text-section": component("a text", { body: { kind: "rich-text" } }),
	"quote-section": component("a quotation", {
		text: text$1,
		name: text$1,
		position: text$1,
		href: address
	}),
	"media-section": component("a picture, film or sound", {
		file: { kind: "file" },
		caption,
		poster,
		captions: { kind: "file" }
	}),
	"gallery-section": component("a gallery", {
		files: { kind: "files" },
		caption
	}),
	"callout-section": component("a callout", {
		tone: {
			kind: "choice",
			of: CALLOUT_TONES
		},
		title: text$1,
		body: { kind: "rich-text" }
	}),
	"embed-section": component("a film of another site", {
		href: address,
		title: text$1,
		poster,
		caption
	})
};
const componentTypes = {
	link: component("a link", {
		title: text$1,
		href: address,
		icon
	}),
	"navigation-link": component("a link of the navigation", {
		title: text$1,
		href: address,
		icon,
		children: {
			kind: "component",
			target: "link",
			many: true
		}
	}),
	question: component("a question", {
		question: text$1,
		answer: { kind: "rich-text" }
	}),
	"titled-text": component("a text with a title", {
		title: text$1,
		text: text$1
	}),
	checkmark: component("a line with a check mark", { text: text$1 }),
	profile: component("a profile of a social network", {
		title: text$1,
		link: address,
		icon
	}),
	label: component("a word of the interface", {
		name: {
			kind: "choice",
			of: WORD_NAMES
		},
		text: text$1
	}),
	direction: component("a direction", {
		title: text$1,
		text: text$1,
		href: address,
		icon
	}),
	partner: component("a partner", {
		name: text$1,
		logo: icon,
		href: address
	}),
	"usd-metric": component("a figure", {
		value: { kind: "number" },
		label: text$1,
		note: text$1
	}),
	"landing-position": component("a place on the landing page", {
		block: {
			kind: "choice",
			of: [...LANDING_BLOCKS, OWN_TEXT]
		},
		custom: { kind: "rich-text" },
		anchor: text$1
	}),
	seo: component("a set of values for search engines", {
		metaTitle: text$1,
		metaDescription: text$1,
		metaImage: { kind: "picture" },
		canonicalURL: address,
		metaRobots: text$1
	}),
	...blockComponents,
	...sectionComponents
};
function blockComponent(block) {
	return `${block.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-block`;
}
function componentKeys(name) {
	return Object.keys(componentTypes[name].fields);
}
// shared/content/content-types.ts
function componentOf(field) {
	if ("component" in field) return field.component ?? null;
	return field.kind === "component" ? field.target : null;
}
const NO_TAGS = "articles show no tags, and there are no pages of tags";
const archivePages = [
	"blog-archive",
	"blog-archive-year",
	"blog-archive-month"
];
const blogPages = [...[
	"blog",
	"blog-category",
	"blog-article",
	"blog-author",
	"blog-tag"
], ...archivePages];
const seoImage = {
	kind: "picture",
	optional: "shared links to its pages show the cover, or no picture"
};
const seo = {
	kind: "component",
	target: "seo",
	optional: "its entries cannot name a canonical address, and cannot be hidden from search engines"
};
const questions = {
	kind: "questions",
	component: "question",
	many: true
};
const previousSlugs = { kind: "lines" };
const textPage = {
	title: {
		kind: "text",
		required: true,
		inLists: true
	},
	description: {
		kind: "text",
		inLists: true
	},
	h1: { kind: "text" },
	slug: {
		kind: "slug",
		required: true,
		inLists: true
	},
	body: {
		kind: "rich-text",
		followedBy: "sections"
	},
	sections: {
		kind: "zone",
		of: Object.keys(sectionComponents),
		optional: "texts have no sections such as galleries and callouts"
	},
	questions,
	seoTitle: { kind: "text" },
	seoDescription: { kind: "text" },
	seo,
	previousSlugs
};
const order = { kind: "number" };
const listOrder = {
	...order,
	inLists: true,
	optional: "its entries stand in the order of their creation"
};
const updatedAt = {
	kind: "date",
	inLists: true
};
const cover = {
	kind: "picture",
	inLists: true
};
const seoInLists = { seo: {
	...seo,
	inLists: ["metaRobots"]
} };
const pageWithCover = {
	...textPage,
	...seoInLists,
	updatedAt,
	cover,
	seoImage
};
const heading = {
	title: { kind: "text" },
	description: { kind: "text" },
	h1: { kind: "text" }
};
const contentTypes = {
	article: {
		path: "articles",
		storage: "collection",
		file: "articles/",
		noun: "an article",
		route: "blog-article",
		readBy: blogPages,
		fields: {
			...textPage,
			date: {
				kind: "date",
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
				reads: ["name", "slug"],
				inLists: true
			},
			author: {
				kind: "relation",
				target: "author",
				inLists: true
			},
			tags: {
				kind: "relation",
				target: "tag",
				many: true,
				optional: NO_TAGS
			}
		}
	},
	author: {
		path: "authors",
		storage: "collection",
		file: "authors/",
		noun: "an author",
		populatesAll: true,
		route: "blog-author",
		readBy: [
			"blog",
			"blog-article",
			"blog-author"
		],
		fields: {
			name: {
				kind: "text",
				required: true
			},
			slug: { kind: "slug" },
			previousSlugs,
			description: { kind: "text" },
			position: { kind: "text" },
			image: {
				kind: "picture",
				many: true
			}
		}
	},
	"business-solution": {
		path: "business-solutions",
		storage: "collection",
		file: "business-solutions/",
		noun: "a page",
		route: "business-solution",
		readBy: ["business-solution", "page"],
		fields: {
			...pageWithCover,
			order: listOrder
		}
	},
	category: {
		path: "categories",
		storage: "collection",
		file: "categories/",
		noun: "a category",
		route: "blog-category",
		readBy: blogPages,
		fields: {
			name: {
				kind: "text",
				required: true
			},
			description: { kind: "text" },
			title: { kind: "text" },
			h1: { kind: "text" },
			slug: {
				kind: "slug",
				required: true
			},
			questions,
			seo,
			previousSlugs,
			order
		}
	},
	commerce: {
		path: "commerces",
		storage: "collection",
		file: "commerce/",
		noun: "a page",
		route: "commerce",
		readBy: ["commerce", "page"],
		fields: {
			...pageWithCover,
			order: listOrder
		}
	},
	page: {
		path: "pages",
		storage: "collection",
		file: "pages/",
		noun: "a page",
		route: "page",
		readBy: [
			"page",
			"business-solution",
			"commerce"
		],
		fields: {
			...textPage,
			...seoInLists,
			contactForm: { kind: "flag" },
			updatedAt,
			seoImage
		}
	},
	redirect: {
		path: "redirects",
		storage: "collection",
		file: "redirects.json",
		noun: "a redirect",
		readBy: "every page",
		fields: {
			from: { kind: "text" },
			to: { kind: "text" },
			statusCode: { kind: "number" },
			replacesPage: { kind: "flag" }
		}
	},
	social: {
		path: "socials",
		storage: "collection",
		file: "socials.json",
		noun: "a social",
		populatesAll: true,
		readBy: "every page",
		fields: {
			link: {
				kind: "address",
				required: true
			},
			icon: { kind: "file" },
			order
		}
	},
	tag: {
		path: "tags",
		storage: "collection",
		file: "tags.json",
		noun: "a tag",
		optional: NO_TAGS,
		route: "blog-tag",
		readBy: ["blog-article", "blog-tag"],
		fields: {
			name: {
				kind: "text",
				required: true
			},
			slug: { kind: "slug" },
			previousSlugs,
			description: { kind: "text" }
		}
	},
	country: {
		path: null,
		storage: "collection",
		file: null,
		noun: "a country",
		readBy: [],
		fields: {
			name: { kind: "text" },
			title: {
				kind: "text",
				required: true,
				orElse: ["name"]
			},
			link: { kind: "address" },
			image: { kind: "file" }
		}
	},
	"payment-image": {
		path: null,
		storage: "component",
		file: null,
		noun: "a payment method",
		needsOneOf: ["title", "image"],
		readBy: [],
		fields: {
			name: { kind: "text" },
			title: { kind: "text" },
			image: { kind: "picture" }
		}
	},
	landing: {
		path: "landing",
		storage: "single",
		file: "landing.json",
		noun: "the landing page",
		route: "home",
		readBy: "every page",
		fields: {
			...heading,
			...perBlockField((block) => ({
				kind: "json",
				component: blockComponent(block)
			})),
			metricsBlockUsdList: {
				kind: "json",
				component: "usd-metric",
				many: true
			},
			metricsBlockPositiveQualities: {
				kind: "json",
				component: "titled-text",
				many: true
			},
			contactsListWithCheckmarks: {
				kind: "texts",
				component: "checkmark",
				many: true
			},
			positionsAndCustomBlocks: {
				kind: "json",
				component: "landing-position",
				many: true
			},
			subscribeBlockSocials: {
				kind: "links",
				component: "link",
				many: true
			},
			faqBlockContent: { kind: "source-text" },
			schema1: { kind: "json-ld" },
			schema2: { kind: "json-ld" },
			schema3: { kind: "json-ld" },
			countries_list: {
				kind: "relation",
				target: "country",
				many: true
			},
			block1Icons: { kind: "files" },
			paymentBlockImages: {
				kind: "component",
				target: "payment-image",
				many: true
			},
			seo
		}
	},
	"main-page": {
		path: "main-page",
		storage: "single",
		file: "main-page.json",
		noun: "the blog page",
		route: "blog",
		readBy: ["blog"],
		fields: {
			...heading,
			questions,
			seo
		}
	},
	settings: {
		path: "settings",
		storage: "single",
		file: "settings.json",
		aliases: ["setting"],
		noun: "the settings",
		populatesAll: true,
		readBy: "every page",
		fields: {
			siteName: {
				kind: "text",
				emptyMeans: "pages name the host in place of the company"
			},
			language: { kind: "text" },
			timeZone: { kind: "text" },
			currency: { kind: "text" },
			labels: {
				kind: "json",
				component: "label",
				many: true
			},
			privacyLink: { kind: "address" },
			subscribeConsent: { kind: "rich-text" },
			headerLinks: {
				kind: "navigation",
				component: "navigation-link",
				many: true
			},
			footerLinks: {
				kind: "navigation",
				component: "navigation-link",
				many: true
			},
			socials: {
				kind: "json",
				component: "profile",
				many: true
			},
			logo: {
				kind: "picture",
				optional: "search engines are shown the icon of the site as its logo"
			},
			shareImage: {
				kind: "picture",
				optional: "links to pages without a picture show a card that the site draws"
			},
			customCss: { kind: "files" },
			scripts: { kind: "files" }
		}
	},
	...componentTypes
};
// server/content/described-types.ts
const described = Object.entries(contentTypes);
const namedTypes = described.flatMap(([name, type]) => type.path === null ? [] : [[name, {
	...type,
	path: type.path
}]]);
new Map(namedTypes.map(([, type]) => [type.path, type]));
function descriptionOf(name) {
	if (!Object.hasOwn(contentTypes, name)) throw new Error(`No content type '${name}'`);
	return contentTypes[name];
}
new Map(described.flatMap(([name, { path, aliases = [] }]) => {
	const tag = path ?? ownerOf(name);
	return tag ? [name, ...aliases].map((model) => [model, tag]) : [];
}));
function ownerOf(name) {
	const shows = (field) => componentOf(field) === name || "target" in field && field.target === name;
	const [, owner] = described.find(([, { fields }]) => Object.values(fields).some(shows)) ?? [];
	return owner?.path ?? null;
}
// server/content/decode/wire.ts
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
// server/content/rich-text/with-sections.ts
function withSections(body, sections) {
	const list = jsonOf(sections);
	if (!Array.isArray(list) || list.length === 0) return body;
	return [...isGiven(body) ? [{
		__component: "site.text-section",
		body
	}] : [], ...list];
}
// shared/routing/canonical-form.ts
function canonicalForm(text) {
	return text.toLowerCase().normalize("NFC");
}
// shared/routing/decode-uri.ts
function decodeUri(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return null;
	}
}
// server/content/safe-address.ts
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
// server/content/decode/decode-addresses.ts
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
function atOnce(work) {
	for (let step = work.next();; step = work.next()) if (step.done) return step.value;
}
// server/content/decode/decode-json.ts
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
// server/content/decode/decode-fields.ts
function decodeRelated(type, value, decodeRow, context) {
	return shownItems(rowsOf(value) ?? [], context).flatMap((row) => rowOrReport(type, row, decodeRow, context));
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
function textsAt(value, context) {
	return itemsAt(value, context).flatMap(([item, at]) => {
		return (isObject(item) && Object.hasOwn(item, "text") ? textAt(item.text, inside(at, "text")) : textAt(item, at)) ?? [];
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
	unsizedPictures(tree).forEach(context.unsized);
	return tree;
}
function imageOf(value, context) {
	const bare = unwrap(value);
	const attributes = mediaAttributes(Array.isArray(bare) ? bare[0] : bare);
	const src = attributes && addressOfMedium(attributes, context);
	if (!attributes || !src) return null;
	const width = pixelsOf(attributes.width);
	const height = pixelsOf(attributes.height);
	const scaled = isScaled(src, width, height, bytesOf(attributes.size));
	return {
		src,
		alt: textOf(attributes.alternativeText) ?? "",
		width,
		height,
		formats: scaled ? [] : formatsOf(attributes, context),
		scaled
	};
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
	return mediumAt(attributes.url, context, changeOf(attributes));
}
function changeOf({ createdAt, updatedAt }) {
	return createdAt === updatedAt ? null : dateOf(updatedAt);
}
function mediaAddressesOf(value, context) {
	return shownItems(rowsOf(value) ?? [], context).flatMap((row, index) => mediaAddressOf(row, inside(context, index)) ?? []);
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
function bytesOf(size) {
	return typeof size === "number" ? size * 1e3 : void 0;
}
function pixelsOf(value) {
	return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : null;
}
const LINK_KEYS = [...componentKeys("link"), "link"];
function linkOf(link, context) {
	const title = textAt(link.title, inside(context, "title"));
	const href = hrefAt(link.href ?? link.link, inside(context, "href"), "the link is not shown");
	const icon = mediaAddressOf(link.icon, inside(context, "icon"));
	if (title && href) return {
		title,
		href,
		icon
	};
	loseItem(context, link, "a link", "a title and an address");
	return null;
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
function linksOf(value, context) {
	return objectsAt(value, context, LINK_KEYS).flatMap(([item, at]) => linkOf(item, at) ?? []);
}
function navigationOf(value, context) {
	return objectsAt(value, context, [...componentKeys("navigation-link"), "link"]).flatMap(([item, at]) => {
		const children = linksOf(item.children, inside(at, "children"));
		const [first] = children;
		const title = textAt(item.title, inside(at, "title"));
		const effect = first ? `the title leads to '${first.href}'` : "the link is not shown";
		const href = hrefAt(item.href ?? item.link, inside(at, "href"), effect) ?? first?.href;
		const icon = mediaAddressOf(item.icon, inside(at, "icon"));
		if (title && href) return [{
			title,
			href,
			icon,
			children
		}];
		loseItem(at, item, "a link, with all links below it,", "a title and an address");
		return [];
	});
}
function questionsOf(value, context) {
	return objectsAt(value, context, componentKeys("question")).flatMap(([item, at]) => {
		const question = textAt(item.question, inside(at, "question"));
		const answer = richTextAt(item.answer, inside(at, "answer"));
		if (question && answer.length > 0) return [{
			question,
			answer
		}];
		loseItem(at, item, "a question", "a question and an answer");
		return [];
	});
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
function requireEntry(row) {
	const entry = entryOf(row);
	return entry ? ok(entry) : fail({
		reason: "it has no id",
		field: null
	});
}
// server/content/decode/decode-entity.ts
const DECODERS = {
	text: textAt,
	slug: slugAt,
	address: (value, context) => hrefAt(value, context, "the entry has no link"),
	date: dateAt,
	flag: flagAt,
	"rich-text": richTextAt,
	"source-text": (value) => typeof value === "string" ? value : null,
	questions: questionsOf,
	texts: textsAt,
	links: linksOf,
	navigation: navigationOf,
	"json-ld": schemaOf,
	picture: imageOf,
	file: mediaAddressOf,
	files: mediaAddressesOf,
	json: null,
	number: null,
	choice: null,
	lines: null,
	zone: null
};
function decodeFields(type, attributes, context) {
	const values = {};
	for (const [name, field] of Object.entries(type.fields)) {
		const decode = decoderOf(type, name, field);
		if (!decode) continue;
		const followedBy = "followedBy" in field ? field.followedBy : void 0;
		values[name] = decode(followedBy ? withSections(attributes[name], attributes[followedBy]) : attributes[name], inside(context, name));
		for (const other of field.orElse ?? []) values[name] ??= decode(attributes[other], inside(context, other));
	}
	return values;
}
function entityDecoder(type) {
	const required = Object.entries(type.fields).flatMap(([name, field]) => field.required ? [name] : []);
	const { noun, needsOneOf } = type;
	return (row, context) => {
		const entry = requireEntry(row);
		if (!entry.ok) return entry;
		const { id, attributes } = entry.value;
		const values = decodeFields(type, attributes, context);
		const missing = required.find((name) => !values[name]);
		if (missing) return fail({
			reason: `${noun} needs ${nounList(required, "and")}`,
			field: missing
		});
		if (needsOneOf && !needsOneOf.some((name) => values[name])) return fail({
			reason: `${noun} needs ${nounList(needsOneOf, "or")}`,
			field: needsOneOf[0] ?? null
		});
		return ok({
			id,
			...values
		});
	};
}
function decoderOf(type, name, field) {
	if (!("target" in field)) return DECODERS[field.kind];
	const decodeRow = targetDecoder(field.target, field.reads);
	if (field.many) return (value, context) => decodeRelated(`${type.path}.${name}`, value, decodeRow, context);
	return (value, context) => decodeRelation(`${type.path}.${name}`, value, decodeRow, context);
}
const targetDecoders = new Map();
function targetDecoder(name, reads) {
	const key = `${name} ${reads?.join()}`;
	const known = targetDecoders.get(key);
	if (known) return known;
	const type = descriptionOf(name);
	const fields = Object.entries(type.fields).filter(([field]) => !reads || reads.includes(field));
	const decode = entityDecoder({
		...type,
		fields: Object.fromEntries(fields)
	});
	targetDecoders.set(key, decode);
	return decode;
}
function nounList(names, word) {
	const nouns = names.map((name) => `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`);
	return [nouns.slice(0, -1).join(", "), ...nouns.slice(-1)].filter(Boolean).join(` ${word} `);
}
// server/content/rich-text/settle-ids.ts
const RESERVED_IDS = new Set("root app page-data content main header footer nav navigation menu search top title form error announcer contacts subscribe subscribe-email faq countries payments directions partners metrics earn-more earnmore hero".split(" "));
const RESERVED_PATTERN = /^[_:]|^(?:category|corridor)-|-title$|^(?:contact|subscribe)-(?:name|email|company|topic|message|website)(?:-error)?$/;
function notReserved(id) {
	return RESERVED_IDS.has(id.toLowerCase()) || RESERVED_PATTERN.test(id) ? `section-${id}` : id;
}
function settledId(source) {
	return notReserved([...source.replace(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-")].slice(0, 80).join("").replace(/^-+/, "") || "section");
}
// server/content/decode/decode-landing.ts
const BLOCK_NAMES = new Set(LANDING_BLOCKS);
const isBlockName = (name) => BLOCK_NAMES.has(name);
function positions(value, context) {
	const list = jsonAt(value, context);
	const items = itemsAt(list, context);
	if (!Array.isArray(list)) return null;
	const placed = new Set();
	const ids = new Set();
	return items.flatMap(([item, at], index) => {
		const position = typeof item === "string" ? { block: item } : objectAt(item, at, [...componentKeys("landing-position"), "id"]);
		if (!position) return [];
		const { block: name, custom, anchor, id } = position;
		const idKey = anchor !== void 0 && typeof id !== "string" || isGiven(anchor) ? "anchor" : "id";
		if (isGiven(name) && name !== "ownText") {
			if (isGiven(custom)) lose(inside(at, "custom"), "value-left-out", "the text is not shown: a position has a block or a text");
			if (!isBlockName(name)) lose(at, "value-left-out", notShown(name, `one of ${LANDING_BLOCKS.join(", ")}`));
			else if (placed.has(name)) lose(at, "value-left-out", `the block '${name}' is named twice: it is shown at the first place`);
			else {
				placed.add(name);
				return [{ block: name }];
			}
			return [];
		}
		const text = richTextAt(custom, inside(at, "custom"));
		const own = textAt(position[idKey], inside(at, idKey));
		const settled = settledId(own ?? `block-${index + 1}`);
		if (own !== null && (own !== settled || ids.has(own))) {
			const why = ids.has(own) ? "another block has it" : "the site uses it, or it has characters that an id may not have";
			const id = ids.has(own) ? "an id with a number" : quoted(settled);
			lose(inside(at, idKey), "value-left-out", `the id ${quoted(own)} becomes ${id}, because ${why}`);
		}
		ids.add(settled);
		return text.length > 0 ? [{
			custom: text,
			id: settled
		}] : [];
	});
}
// server/content/embeds/embed-providers.ts
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
const BLANK = /^\{(id|number|hash|start)\}$/;
const BLANKS = /\{(?:id|number)\}/;
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
function isTemplate(text) {
	const url = URL.parse(text);
	return url?.protocol === "https:" && url.username === "" && BLANKS.test(text) && !BLANKS.test(url.host);
}
function valuesIn(url, template) {
	const form = new URL(template);
	if (hostOf(url) !== hostOf(form)) return null;
	const values = {};
	const parts = segmentsOf$1(url);
	const expected = segmentsOf$1(form);
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
	url.pathname = segmentsOf$1(url).flatMap((segment) => givenFor(segment) ?? []).join("/");
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
function segmentsOf$1({ pathname }) {
	return pathname.split("/").filter(Boolean).map((segment) => segment.replaceAll("%7B", "{").replaceAll("%7D", "}"));
}
function secondsOf(time) {
	const [whole, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? "") ?? [];
	return whole ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : 0;
}
// shared/routing/routes.ts
const base = {
	layout: "default",
	pageTransition: true,
	layoutTransition: true,
	middleware: [],
	query: [],
	hasContact: false,
	readsDevice: false
};
const byToken = {
	opensByToken: true,
	query: ["state"]
};
const YEAR = /^[12]\d{3}$/;
const MONTH = /^(?:0[1-9]|1[0-2])$/;
const notAnimated = {
	pageTransition: false,
	layoutTransition: false
};
const routeTable = [
	{
		...base,
		hasContact: true,
		id: "home",
		path: "/"
	},
	{
		...base,
		id: "blog",
		path: "/blog",
		layout: "blog",
		...notAnimated
	},
	{
		...base,
		id: "blog-category",
		path: "/blog/:category",
		layout: "blog",
		...notAnimated,
		middleware: ["check-blog-category"],
		query: ["page"]
	},
	{
		...base,
		id: "blog-article",
		path: "/blog/:category/:slug",
		layout: "blog",
		layoutTransition: false
	},
	{
		...base,
		id: "blog-author",
		path: "/blog/authors/:slug",
		layout: "blog",
		...notAnimated,
		query: ["page"]
	},
	{
		...base,
		id: "blog-tag",
		path: "/blog/tags/:slug",
		layout: "blog",
		...notAnimated,
		query: ["page"]
	},
	{
		...base,
		id: "blog-archive",
		path: "/blog/archive",
		layout: "blog",
		...notAnimated
	},
	{
		...base,
		id: "blog-archive-year",
		path: "/blog/archive/:year",
		layout: "blog",
		...notAnimated,
		query: ["page"],
		validate: ({ year = "" }) => YEAR.test(year)
	},
	{
		...base,
		id: "blog-archive-month",
		path: "/blog/archive/:year/:month",
		layout: "blog",
		...notAnimated,
		query: ["page"],
		validate: ({ year = "", month = "" }) => YEAR.test(year) && MONTH.test(month)
	},
	{
		...base,
		id: "business-solution",
		path: "/business-solutions/:slug"
	},
	{
		...base,
		id: "commerce",
		path: "/commerce/:slug"
	},
	{
		...base,
		id: "search",
		path: "/search",
		query: [
			"q",
			"type",
			"category",
			"page"
		],
		answersQueries: true
	},
	{
		...base,
		...byToken,
		id: "subscribe-confirm",
		path: "/subscribe/confirm"
	},
	{
		...base,
		...byToken,
		id: "subscribe-leave",
		path: "/subscribe/leave"
	},
	{
		...base,
		hasContact: true,
		id: "page",
		path: "/:slug"
	}
];
const definitions = new Map(routeTable.map((route) => [route.id, route]));
function routeById(id) {
	const route = definitions.get(id);
	if (!route) throw new Error(`No route '${id}' in the table`);
	return route;
}
function pathTo(id, params) {
	const values = params;
	return routeById(id).path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] ?? ""));
}
// server/content/slugs/plain-letters.ts
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
// server/content/slugs/slug-of-name.ts
const ACCENTS = /[\u0300-\u036f]/g;
const SIGNS = /(?<=[\p{L}\p{N}\p{M}+#])[+#]/gu;
const APOSTROPHES = /['’ʼ`´]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;
function slugOfName(name) {
	return safeSlug(plainLetters(name.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase().replace(APOSTROPHES, "").replace(SIGNS, (sign) => sign === "+" ? " plus " : " sharp ")).split(BETWEEN_WORDS).filter(Boolean).join("-"));
}
// server/content/entry-path.ts
const NO_CATEGORY = "The article has no category, and its address begins with that of a category. Choose one, and save the article.";
// shared/routing/redirects.ts
const REDIRECT_STATUSES = [
	301,
	302,
	307,
	308
];
function pathKey(path) {
	const segments = [];
	for (const segment of segmentsOf(path)) {
		const decoded = decodeUri(segment);
		if (decoded === null) return null;
		segments.push(decoded.replaceAll("/", "%2f"));
	}
	return canonicalForm(`/${segments.join("/")}`);
}
function segmentsOf(path) {
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
	const rest = segmentsOf(path).slice(segmentsOf(rule.from).length).map((segment) => `/${segment.replaceAll("\\", "%5C")}`).join("");
	return (target.path.replace(/\/$/, "") + rest || "/") + target.search + target.hash;
}
// server/content/redirects/redirect-table.ts
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
		const identity = ruleIdentity(rule);
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
	const key = pathKey(wildcard ? from.slice(0, -3) || "/" : from);
	if (key === null || key.includes("*") || !key.isWellFormed()) return faultOf("from", "cannot be read as a path");
	const statusCode = statusOf(row.statusCode);
	if (!statusCode) return faultOf("statusCode", `wants one of ${REDIRECT_STATUSES.join(", ")} or 410`);
	if (statusCode === 410) return ok({
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
function ruleIdentity(rule) {
	return `${rule.wildcard ? "**" : ""}${rule.from}`;
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
// server/content/redirects/site-redirects.ts
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
	}
];
// server/content/rich-text/hast-nodes.ts
function element(tagName, children, properties = {}) {
	return {
		type: "element",
		tagName,
		properties,
		children
	};
}
function text(value) {
	return {
		type: "text",
		value
	};
}
// server/content/rich-text/section-names.ts
const OTHER_NAMES = {
	"rich-text": "text",
	slider: "gallery",
	image: "media"
};
function sectionName(component) {
	const own = component.split(".").at(-1)?.replace(/-section$/, "") ?? "";
	const name = `${OTHER_NAMES[own] ?? own}-section`;
	return Object.hasOwn(sectionComponents, name) ? name : null;
}
// server/content/rich-text/settle-callouts.ts
const TONES = {
	important: "note",
	caution: "warning"
};
function toneOf(name) {
	const word = name.toLowerCase();
	return CALLOUT_TONES.find((tone) => tone === word) ?? TONES[word] ?? null;
}
// server/content/rich-text/settle-players.ts
const words = (text) => new Set(text.split(" "));
words("root div section article main header footer nav address center fieldset aside figure li td th dd blockquote details");
words("ul ol dl table thead tbody tfoot tr");
words("iframe oembed embed object");
words("captions subtitles descriptions chapters");
const FILM = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#]|$)/i;
const SOUND = /\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aac)(?:[?#]|$)/i;
function playerTag(address) {
	return FILM.test(address) ? "video" : SOUND.test(address) ? "audio" : null;
}
// server/content/rich-text/section-kinds.ts
const SECTION_KINDS = {
	"text-section": {
		keys: { body: ["text", "content"] },
		read: ({ body }, { richText }) => richText(body)
	},
	"quote-section": {
		keys: {
			text: ["body", "quote"],
			name: ["title", "author"],
			position: [],
			href: ["url"]
		},
		read({ text: quotation, name, position, href }, { richText, words }) {
			const shown = richText(quotation);
			const source = [words(name), words(position)].filter((word) => word !== null).join(", ");
			if (shown.length === 0) return [];
			const cited = isGiven(href) ? element("a", [text(source || String(href))], { href: String(href) }) : text(source);
			const cite = source === "" && !isGiven(href) ? [] : [element("p", [element("cite", [cited])])];
			return [element("blockquote", [...shown, ...cite])];
		}
	},
	"media-section": {
		keys: {
			file: [
				"media",
				"image",
				"video"
			],
			caption: [],
			poster: [],
			captions: []
		},
		read({ file, caption, poster, captions }, tools) {
			const medium = mediumOf(file);
			if (!medium) return [];
			const words = tools.words(caption) ?? tools.words(medium.caption);
			const tracks = mediumOf(captions);
			return figure([shownMedium(medium, mediumOf(poster)?.url, tracks?.url)], words);
		}
	},
	"gallery-section": {
		keys: {
			files: [
				"images",
				"media",
				"slides"
			],
			caption: ["title"]
		},
		read({ files, caption }, tools) {
			const list = unwrap(files);
			const pictures = [Array.isArray(list) ? list : [list]].flat().flatMap((value) => {
				const medium = mediumOf(value);
				return medium ? figure([shownMedium(medium)], tools.words(medium.caption)) : [];
			});
			if (pictures.length === 0) return [];
			return figure(pictures, tools.words(caption), { dataGallery: "" });
		}
	},
	"callout-section": {
		keys: {
			tone: ["type", "variant"],
			title: [],
			body: ["text", "content"]
		},
		read({ tone, title, body }, { richText, words, leaveOut }) {
			const name = words(title);
			const shown = [...name === null ? [] : [element("p", [element("strong", [text(name)])])], ...richText(body)];
			const dataTone = toneOf(String(tone ?? "note"));
			if (dataTone === null) leaveOut(`the kind ${quoted(tone)} is none of note, tip and warning: it is shown as a note`);
			return shown.length === 0 ? [] : [element("aside", shown, { dataTone: dataTone ?? "note" })];
		}
	},
	"embed-section": {
		keys: {
			href: [
				"url",
				"link",
				"address"
			],
			title: [],
			poster: ["image", "cover"],
			caption: []
		},
		read({ href, title, poster, caption }, { words }) {
			if (!isGiven(href)) return [];
			const picture = mediumOf(poster);
			const name = words(title);
			const properties = {
				url: String(href),
				...name === null ? {} : { title: name }
			};
			return figure([element("oembed", picture ? [shownMedium(picture)] : [], properties)], words(caption));
		}
	}
};
const OF_STRAPI = new Set([
	"id",
	"documentId",
	"__component"
]);
function sectionElements(section, tools) {
	const name = sectionName(String(section.__component));
	if (name === null) return null;
	const kind = SECTION_KINDS[name];
	const names = Object.entries(kind.keys).map(([name, others]) => [name, ...others]);
	const values = names.map((all) => [all[0] ?? "", section[all.find((key) => isGiven(section[key])) ?? ""]]);
	const unread = Object.keys(section).filter((key) => !OF_STRAPI.has(key) && isGiven(section[key]) && !names.some((all) => all.find((one) => isGiven(section[one])) === key));
	if (unread.length > 0) tools.leaveOut(`${unread.map(quoted).join(", ")} is not shown`);
	const shown = kind.read(Object.fromEntries(values), tools);
	if (shown.length === 0) tools.leaveOut("it has no content, and nothing is shown");
	return shown;
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
	if (only?.type === "element" && only.tagName === "p") return caption === null ? content : [...content, element("p", [text(caption)])];
	const words = caption === null ? [] : [element("figcaption", [text(caption)])];
	return [element("figure", [...content, ...words], properties)];
}
// server/content/rich-text/source-bounds.ts
const MAX_LENGTH = 2e5;
const MAX_LINES = 4e3;
const MAX_COMPARISONS = 36e6;
var TooComplexError = class extends Error {
	constructor(what) {
		super(`Rich text ${what}`);
		this.name = "TooComplexError";
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
// shared/routing/feeds.ts
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
feedPath(pathTo("blog", {}));
// server/content/slugs/fixed-addresses.ts
const FIXED_ADDRESSES = new Set([
	...routeTable.map(({ path }) => path),
	...siteRedirects.map(({ from }) => String(from)),
	...[
		"/blog/authors",
		"/blog/tags",
		...FEED_FORMATS.map((format) => feedPath("/blog", format))
	],
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
	pages: "/",
	categories: "/blog/"
};
const FEED_NAMES = new Set(Object.values(FEED_FILES));
function fixedAddressOf(type, slug) {
	if (type === "articles") return FEED_NAMES.has(slug.split("/").at(-1) ?? "") ? `/blog/${slug}` : null;
	const above = ABOVE_SLUG[type];
	return above !== void 0 && FIXED_ADDRESSES.has(above + slug) ? above + slug : null;
}
// shared/labels/page-language.ts
const CATALOGUE_NAMES = [
	"en",
	"de",
	"ar"
];
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
exports.CATALOGUE_NAMES = CATALOGUE_NAMES;
exports.DEFAULT_PROVIDERS = DEFAULT_PROVIDERS;
exports.NO_CATEGORY = NO_CATEGORY;
exports.atEntry = atEntry;
exports.buildRedirectTable = buildRedirectTable;
exports.checkLines = checkLines;
exports.checkMarkdown = checkMarkdown;
exports.checkSource = checkSource;
exports.consentSentence = consentSentence;
exports.contentTypes = contentTypes;
exports.embedAt = embedAt;
exports.entityDecoder = entityDecoder;
exports.fixedAddressOf = fixedAddressOf;
exports.isHtml = isHtml;
exports.matchRoute = matchRoute;
exports.pathKey = pathKey;
exports.positions = positions;
exports.providersIn = providersIn;
exports.routeTable = routeTable;
exports.sectionElements = sectionElements;
exports.siteRedirects = siteRedirects;
exports.slugOfName = slugOfName;
