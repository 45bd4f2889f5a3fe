/** What somebody asked for is not done, for a reason that is no failure: said as it is, and nobody looks into it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
