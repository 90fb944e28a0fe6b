import { connect } from 'node:net';

/** The addresses of `localhost`. */
const HOSTS = ['127.0.0.1', '::1'];

/**
 * Ends with an error if a program on this machine has the port of the CMS. Strapi would end then, and the other program would be taken for it.
 * @throws Error with the variable to set.
 */
export async function checkPortIsFree(port: number): Promise<void> {
  const answers = await Promise.all(HOSTS.map(host => isAnswered(host, port)));
  if (!answers.includes(true)) return;
  throw new Error(
    `Another program has port ${port} of this machine, perhaps a CMS that runs already. End it, or set CMS_PORT to another port: CMS_PORT=${port + 1} npm run cms`,
  );
}

function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
