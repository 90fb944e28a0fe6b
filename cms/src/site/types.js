const types = require('./types.json');

/** @returns the name that Strapi has for a type of the site, such as `api::redirect.redirect`. */
function uidOf(name) {
  return types.find(type => type.name === name)?.uid;
}

module.exports = { uidOf };
