import {type CommandFacts, toCommandName} from '../../src/values/command-facts.js'

export type ConsoleStep = {command: string; expected: string}
export type NamedFile = {name: string; text: string}

/** The commands of all `console` blocks, in order, each with the output that the text shows. */
export function findSteps(readme: string): ConsoleStep[] {
  return findBlocks(readme, 'console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [command = '', ...lines] = part.trimEnd().split('\n')
        return {command, expected: lines.join('\n')}
      }),
  )
}

/** The files that the text shows: a name in backticks on a line of its own, then a block of data. */
export function findFiles(readme: string): NamedFile[] {
  const shown = readme.matchAll(
    /^`([\w-]+\.(?:csv|txt|yaml|mjs|py|sql))`\n\n```(?:csv|text|yaml|js|python|sql)\n([\s\S]*?)^```$/gm,
  )
  return [...shown].map(([, name = '', text = '']) => ({name, text}))
}

/** The commands of all `sh` blocks, in order; one that goes on after a backslash is one line. */
export function findShellLines(text: string): string[] {
  return findBlocks(text, 'sh')
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/ +# .*$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** Every command that a block of the text shows, also inside of other programs' files, comments left out. */
export function findCommands(readme: string): string[] {
  const kinds = ['sh', 'console', 'ini', 'yaml', 'text']
  const lines = kinds.flatMap((kind) => findBlocks(readme, kind)).flatMap((block) => joinLines(block).split('\n'))
  return lines
    .filter((line) => !line.trim().startsWith('#'))
    .flatMap((line) => line.match(/(?:(?<![\w/-])|(?<=\/bin\/))vendorctl (?!-[^-])[^>|&]*/)?.[0] ?? [])
    .map((line) => line.trim())
}

/** Commands over several lines, as a shell and systemd have them. */
function joinLines(block: string): string {
  return block.replaceAll(/\\\n\s*/g, '')
}

/** The flags of a command line that its command does not have; the line itself if there is no such command. */
export function findUnknownFlags(
  line: string,
  ids: readonly string[],
  commands: Readonly<Record<string, CommandFacts>>,
): string[] {
  const words = (line.split(' -- ')[0] ?? '').split(/\s+/).slice(1)
  const id = ids
    .filter((each) => `${words.join(' ')} `.startsWith(`${toCommandName(each)} `))
    .sort((one, other) => other.length - one.length)[0]
  if (id === undefined) return [line]
  if (id === 'import' || id === 'import:check') return [] // flags of the command that the recipe is of
  const known = Object.values(commands[id]?.flags ?? {}).flatMap(({name, aliases = [], char}) => [
    ...[name, ...aliases].map((each) => `--${each}`),
    ...(char ? [`-${char}`] : []),
  ])
  const given = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/, ''))
  return given.filter((flag) => !known.includes(flag) && !/^-\d/.test(flag))
}

/** Whether output is what the text shows: `…` stands for anything, on a line of its own for any lines. */
export function isShown(actual: string, expected: string): boolean {
  const pattern = expected
    .split('\n')
    .map((line) => (line === '…' ? '[\\s\\S]*' : line.split('…').map(toPattern).join('[^\\n]*')))
    .join('\n')
  return new RegExp(`^${pattern}$`).test(actual.trimEnd())
}

export function findBlocks(readme: string, kind: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
}

function toPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
