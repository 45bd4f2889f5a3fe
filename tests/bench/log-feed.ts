/** How much the log of a measured page brings. */
export interface Feed {
  /** Lines a second. */
  readonly rate: number;
  /** Lines in all; nothing comes after them. */
  readonly lines: number;
}

/**
 * Answers for the socket of a log within the page: the page reads, draws and forgets as it would, and nothing else of the
 * machine takes part. Lines of JSON and plain ones, in the messages and at the pace of the server. Runs in the page.
 */
export function feedLog({ rate, lines }: Feed): void {
  const Real = window.WebSocket;
  const perMessage = 500;
  const began = Date.parse('2026-01-01T00:00:00Z');
  const feed = { sent: 0 };
  Object.assign(window, { feed });
  const line = (at: number): [string, string, number] => {
    const time = new Date(began + at).toISOString();
    return at % 4 === 0
      ? [time, `INFO request ${at} served in ${at % 97} ms, nothing else of note to tell about it`, 0]
      : [
          time,
          `{"level":"info","msg":"request served","path":"/api/orders/${at}","status":${200 + (at % 5)}}`,
          0,
        ];
  };
  class FedSocket extends EventTarget {
    readonly OPEN = 1;
    readyState = 1;
    bufferedAmount = 0;
    private readonly timer: ReturnType<typeof setInterval>;
    constructor() {
      super();
      const tell = (message: unknown) =>
        this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
      setTimeout(() => {
        this.dispatchEvent(new Event('open'));
        const source = { id: 0, namespace: 'bench', pod: 'loud', container: 'app' };
        tell({ type: 'source', source });
        tell({ type: 'state', status: 'live' });
      });
      const from = performance.now();
      this.timer = setInterval(() => {
        // A timer that comes late brings more: so many lines a second come whatever the page does.
        const due = Math.min(lines, ((performance.now() - from) * rate) / 1_000);
        for (; feed.sent + perMessage <= due; feed.sent += perMessage) {
          const first = feed.sent;
          tell({ type: 'lines', lines: Array.from({ length: perMessage }, (_, at) => line(first + at)) });
        }
      }, 20);
    }
    send(): void {}
    close(): void {
      clearInterval(this.timer);
    }
  }
  Object.assign(window, {
    WebSocket: new Proxy(Real, {
      construct: (target, [url, protocols]: [string | URL, (string | string[])?]) =>
        String(url).endsWith('/log') ? new FedSocket() : new target(url, protocols),
    }),
  });
}
