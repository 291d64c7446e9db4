import {syncBuiltinESMExports} from 'node:module'
import {onTestFinished} from 'vitest'

/** Puts a call in the place of one of a module of Node, for all who import it, until the test ends. */
export function replaceBuiltin<Module extends object, Name extends keyof Module>(
  module: Module,
  name: Name,
  call: Module[Name],
): void {
  const real = module[name]
  const put = (one: Module[Name]) => {
    module[name] = one
    syncBuiltinESMExports()
  }
  onTestFinished(() => put(real))
  put(call)
}
