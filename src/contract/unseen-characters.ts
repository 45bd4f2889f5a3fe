/**
 * Characters besides control characters that nobody sees: bidirectional marks, invisible formatting, letters without a
 * shape, and the tags at the end, which spell text that only a model reads. They make one text look like another. For use
 * inside `[…]` of an expression with the flag `u`.
 */
export const unseenCharacters = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}`;
