/** A checker for Stryker that lets a sample of all mutants through: MUTATE_SAMPLE of them, which MUTATE_SEED chooses. */
import {createHash} from 'node:crypto'

const {MUTATE_SAMPLE: size, MUTATE_SEED: seed} = process.env

class Sample {
  chosen = new Set()

  init() {}

  /** All mutants come at once, and are checked at once. */
  group(mutants) {
    const order = ({fileName, location, replacement}) =>
      createHash('sha256')
        .update(JSON.stringify([seed, fileName.split('/src/').pop(), location, replacement]))
        .digest('hex')
    const keys = new Map(mutants.map((mutant) => [mutant.id, order(mutant)]))
    const ids = [...keys.keys()].toSorted((one, other) => (keys.get(one) < keys.get(other) ? -1 : 1))
    for (const id of ids.slice(0, Number(size))) this.chosen.add(id)
    return [ids]
  }

  check(mutants) {
    const verdict = ({id}) =>
      this.chosen.has(id) ? {status: 'passed'} : {status: 'compileError', reason: 'not chosen'}
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, verdict(mutant)]))
  }
}

export const strykerPlugins = [{kind: 'Checker', name: 'sample', injectableClass: Sample}]
