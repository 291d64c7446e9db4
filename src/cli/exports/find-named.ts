import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {NamedExport} from '../../reports/register/list-named.js'
import {suggest} from '../../values/suggest.js'
import {shortScope} from './named-records.js'

/** What was read under a name: one for each choice of filters and columns. Throws `usage` when there is none. */
export function findNamed(all: readonly NamedExport[], name: string, scope = ''): NamedExport[] {
  const found = all.filter((one) => one.name === name && one.scope.startsWith(scope))
  if (found.length > 0) return found
  const near = suggest(
    name,
    all.map((one) => one.name),
  )
  const what = scope === '' ? `by the name ${name}` : `by the name ${name} in the scope ${scope}`
  throw new CliFailure(`Nothing was read ${what}.`, {
    code: 'NO_WATERMARK',
    exit: 'usage',
    hints: [
      ...(near === undefined || near === name ? [] : [`Did you mean ${near}?`]),
      `List all names: ${commandLine('exports list')}`,
    ],
  })
}

/** The one export of a name. Throws `usage` when the name was used with several filters and none is chosen. */
export function findOneNamed(all: readonly NamedExport[], name: string, scope?: string): NamedExport {
  const [only, ...more] = findNamed(all, name, scope)
  if (only && more.length === 0) return only
  throw new CliFailure(`${name} was used with several filters, services or columns; choose one with --scope.`, {
    code: 'NAME_AMBIGUOUS',
    exit: 'usage',
    hints: [only ?? [], more].flat().map((one) => `--scope ${shortScope(one)}: ${describeScope(one)}`),
  })
}

function describeScope({facts, mark}: NamedExport): string {
  const {command, profile, baseUrl, stage, filters} = facts
  const what = [command, profile && `profile ${profile}`, baseUrl && `${baseUrl} (${stage})`, filters].filter(Boolean)
  return [...what, `mark ${mark?.at ?? 'none'}`].join(', ')
}
