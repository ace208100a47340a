// Node runs the sources as they are; Jest's module registry needs the same stripping done for it.
const { stripTypeScriptTypes } = require('node:module');

module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
};
