/** An element of an answer that is not JSON or no record; `index` counts from 0. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
  readonly index: number

  constructor(index: number) {
    super(`element ${index + 1} is no record`)
    this.index = index
  }
}
