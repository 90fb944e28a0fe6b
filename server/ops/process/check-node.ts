/** The oldest major version of Node that works, as in `engines` of package.json. */
const NEEDED = 24;

// Check the version before other imports, with code that an old Node can run.
const { version } = process;
if (Number.parseInt(version.slice(1), 10) < NEEDED) {
  process.stderr.write(
    `This program needs Node ${NEEDED}, and runs on ${version}: start it by \`npm start\` (\`npm run data\`, \`npm run doctor\`), or write \`node_modules/.bin/node\` in place of \`node\`\n`,
  );
  process.exit(1);
}

export {};
