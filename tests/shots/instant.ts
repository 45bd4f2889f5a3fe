/** The instant at which time stands in the pictures: in the past of whoever takes them. */
export const instant = '2026-03-17T10:24:37Z';

/** Arguments of a playground that is the same at every start: its time stands and its chance is seeded. */
export const stillPlayground = ['--still', instant, '--chance', '20', '--activity', 'off'] as const;
