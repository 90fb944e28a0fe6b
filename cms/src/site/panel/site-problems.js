const { settings } = require('../settings.js');

/** The time for the answer of the site, in ms. The panel shows its start page meanwhile. */
const WITHIN_MS = 5_000;

/**
 * Asks the site for its problems, so that its token stays in the CMS. @param query `model` and `id` of an entry,
 * or nothing. @returns the answer, or why there is none.
 */
async function problemsOfSite({ model, id }) {
  const { webhookUrl, problemsToken } = settings();
  if (!webhookUrl || !problemsToken) return { missing: 'token' };
  const query = model && id ? `?${new URLSearchParams({ model, id })}` : '';
  try {
    const answer = await fetch(`${webhookUrl.replace(/\/$/, '')}/api/problems${query}`, {
      headers: { authorization: `Bearer ${problemsToken}` },
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    return answer.ok ? await answer.json() : { missing: answer.status };
  } catch {
    return { missing: 'site' };
  }
}

module.exports = { problemsOfSite };
