import {type Place, readShellLine, type Shell, toLines, toPlainLine} from './shell.js'

export const fish: Shell = {
  script,
  setup: {file: '~/.config/fish/config.fish', line: 'vendorctl autocomplete script fish | source'},
  /** The words before the cursor without quotes, then the one at the cursor as typed. */
  async answer(given, complete) {
    const typed = readShellLine(given.at(-1) ?? '').words.join(' ')
    const {fixed, files, candidates, ...found} = await complete([...given.slice(0, -1), typed])
    if (files) return toLines(['files', fixed, found.typed])
    return toLines([
      'words',
      ...candidates.map(({value, about = ''}) => `${fixed}${value}${about === '' ? '' : `\t${toPlainLine(about)}`}`),
    ])
  },
}

function script({program}: Place): string {
  return `# Completion of vendorctl in fish. Runs vendorctl alone, and nothing else from the line.
function __vendorctl_complete
    set -l program vendorctl
    command -sq vendorctl; or set program ${quotedForFish(program)}
    set -l words (commandline -opc)
    set -l answer (command $program __complete fish $words[2..-1] (commandline -ct | string collect) 2>/dev/null </dev/null)
    if test "$answer[1]" = words
        string join -- \\n $answer[2..-1]
    else if test "$answer[1]" = files
        for path in (__fish_complete_path "$answer[3]")
            echo -- "$answer[2]$path"
        end
    end
end
# Rules in files are loaded when they are first asked for: load them now, so that none comes after these.
complete -C 'vendorctl -' >/dev/null
complete -c vendorctl -e
complete -c vendorctl -f -k -a '(__vendorctl_complete)'
`
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
