const types = require('./types.json');

/** @returns the uid of a type, such as `api::redirect.redirect`. */
function uidOf(name) {
  return types.find(type => type.name === name)?.uid;
}

module.exports = { uidOf };
