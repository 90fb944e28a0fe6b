// The site asks for pages of 100 entries.
module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };
