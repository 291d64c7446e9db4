import {isOn} from '../../values/truth.js'

/** The arguments before `--`, in which flags are looked for. */
export function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end === -1 ? args : args.slice(0, end)
}

/** Whether --json is on, before flags are parsed, so that usage errors are JSON too. */
export function wantsJson(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): boolean {
  return beforeDashes(args).includes('--json') || isOn(environment['VENDORCTL_JSON'])
}
