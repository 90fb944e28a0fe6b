// node bare-render.cjs page.json renders one page with React alone for each request (bundled by `bare.ts`)

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderToPipeableStream } from 'react-dom/server';
import { pageTree, splitDocument } from '../support/page-tree.ts';
import type { BareAnswer } from './bare-server.ts';

const answer: BareAnswer & { path: string } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
void serve();

async function serve(): Promise<void> {
  const { before, after, data } = splitDocument(Buffer.from(answer.bodyBase64, 'base64').toString());
  const tree = await pageTree(data, answer.path);
  const server = createServer((_req, res) => {
    const stream = renderToPipeableStream(tree, {
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        res.writeHead(answer.status, answer.headers);
        res.write(before);
        // React ends the response that it is piped into, so `end()` writes the rest of the document.
        const end = res.end.bind(res);
        res.end = (() => end(after)) as typeof res.end;
        stream.pipe(res);
      },
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
  });
}
