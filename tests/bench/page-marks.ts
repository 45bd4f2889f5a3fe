/** What a page notes of itself. Times in ms since its navigation began. */
export interface PageMarks {
  firstRow?: number;
  /** When the grid said that it has every row. */
  allRows?: number;
  /** How long each task of more than 50 ms took. */
  readonly longTasks: number[];
  /** From each key or click to the frame that shows it. */
  readonly paints: number[];
  /** When a text showed in the grid, epoch ms. Rejects when it does not within ten seconds. */
  readonly shown: (text: string) => Promise<number>;
}

/** Makes a page note when its rows came, what took long, and how soon it showed what was asked. Runs in the page. */
export function instrumentPage(rows: number): void {
  const marks: PageMarks = {
    longTasks: [],
    paints: [],
    shown: (text) =>
      new Promise((resolve, reject) => {
        const until = performance.now() + 10_000;
        const look = () => {
          const grid = document.querySelector('[role="grid"]');
          if (grid?.textContent.includes(text) === true) {
            afterPaint((at) => resolve(performance.timeOrigin + at));
          } else if (performance.now() > until)
            reject(new Error(`The grid did not show “${text}” within 10 s.`));
          else requestAnimationFrame(look);
        };
        look();
      }),
  };
  Object.assign(window, { marks });
  // A message is handled after the frame was painted.
  const afterPaint = (run: (at: number) => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => run(performance.now()));
    port1.start();
    port2.postMessage(null);
  };
  const look = () => {
    const grid = document.querySelector('[role="grid"]');
    if (marks.firstRow === undefined && document.querySelector('[aria-rowindex="2"]') !== null)
      afterPaint((at) => {
        marks.firstRow ??= at;
      });
    if (grid?.getAttribute('aria-rowcount') === String(rows + 1)) {
      afterPaint((at) => {
        marks.allRows ??= at;
        // Said, not asked for: questions would take of the time that is measured.
        console.debug('All rows are shown.');
      });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) marks.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  const time = ({ timeStamp }: Event) =>
    requestAnimationFrame(() => afterPaint((at) => marks.paints.push(at - timeStamp)));
  window.addEventListener('input', time, { capture: true });
  window.addEventListener('click', time, { capture: true });
}
