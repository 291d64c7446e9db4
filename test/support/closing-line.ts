import type {Reporter, TestModule} from 'vitest/node'

/** Says as the last line how many tests passed and failed; a file that could not be loaded counts as one that failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const passed = states.filter((state) => state === 'passed').length
    const failed = states.filter((state) => state === 'failed').length
    const broken = errors.length + modules.flatMap((module) => module.errors()).length
    process.stdout.write(`${passed} passed, ${failed + broken} failed\n`)
  }
}
