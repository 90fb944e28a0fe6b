/** The oldest major version of Node that runs the site, as `engines` of package.json says. */
const NEEDED = 24;

// Programs import this module first. It uses nothing that an old Node lacks, and ends the process in time.
const { version } = process;
if (Number.parseInt(version.slice(1), 10) < NEEDED) {
  process.stderr.write(
    `This program needs Node ${NEEDED}, and runs on ${version}: start it by \`npm start\` (\`npm run outbox\`, \`npm run doctor\`), or write \`node_modules/.bin/node\` in place of \`node\`\n`,
  );
  process.exit(1);
}

export {};
