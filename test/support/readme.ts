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

/** The files that the text shows: a name in backticks on a line of its own, then a `csv` block. */
export function findFiles(readme: string): NamedFile[] {
  const shown = readme.matchAll(/^`([\w.-]+)`\n\n```csv\n([\s\S]*?)^```$/gm)
  return [...shown].map(([, name = '', text = '']) => ({name, text}))
}

/** Every command that a block of the text shows, also inside of other programs' files, comments and continuations left out. */
export function findCommands(readme: string): string[] {
  const kinds = ['sh', 'console', 'ini', 'yaml', 'powershell']
  const lines = kinds.flatMap((kind) => findBlocks(readme, kind)).flatMap((block) => block.split('\n'))
  return lines
    .flatMap((line) => line.match(/(?:(?<![\w/])|(?<=\/bin\/))vendorctl [^>|&]*/)?.[0] ?? [])
    .map((line) => line.trim())
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
