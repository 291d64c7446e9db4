/** Loaded into every process of a machine whose clock is wrong. */
const offset = Number(process.env.CLOCK_OFFSET)
const System = Date
const now = () => System.now() + offset

globalThis.Date = class Moved extends System {
  static now = now
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given))
  }
}
