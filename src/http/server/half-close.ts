import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const firstProbeMs = 200;

const fillers = new WeakMap<ServerResponse, string>();

/** Sets a text without meaning that may be written into an answer in parts, once its client has half-closed the connection. */
export function setFiller(response: ServerResponse, text: string): void {
  fillers.set(response, text);
}

function probe(response: ServerResponse): void {
  // HTTP/1.0 has no 1xx answers (RFC 9110, 15.2).
  if (!response.headersSent && response.req.httpVersion !== '1.0') response.writeProcessing();
  const filler = fillers.get(response);
  if (response.headersSent && filler !== undefined) response.write(filler);
}

/**
 * Notices when the client of a half-closed connection closes it. A client may half-close after its request and wait for the
 * answer (RFC 9112, 9.6); one that closes sends the same FIN, and resets the connection only when more data arrives. So
 * `102 Processing`, or the filler of a begun answer, is sent after ever longer pauses. `current` returns the response that
 * is due.
 */
export function probeHalfClosed(socket: Socket, current: () => ServerResponse | undefined): void {
  socket.once('end', () => {
    let timer: NodeJS.Timeout;
    const probeAfter = (pauseMs: number): void => {
      timer = setTimeout(() => {
        const response = current();
        // Unread data is a probe already; `timeout` of the queue watches it.
        if (response !== undefined && !response.writableEnded && socket.writableLength === 0) probe(response);
        probeAfter(pauseMs * 2);
      }, pauseMs);
    };
    probeAfter(firstProbeMs);
    socket.once('close', () => clearTimeout(timer));
  });
}
