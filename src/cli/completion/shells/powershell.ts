import {type Candidate, matching, type Place, type Shell, toPlainLine} from './shell.js'

export const powershell: Shell = {
  script,
  setup: {file: '$PROFILE', line: 'vendorctl autocomplete script powershell | Out-String | Invoke-Expression'},
  /**
   * Takes the words as JSON in base64, which no version of PowerShell changes; the last word is the one to complete.
   */
  async answer([text = ''], complete) {
    const words = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as string[]
    const replaced = words.at(-1) ?? ''
    const answer = await complete(words.slice(0, -1))
    const word = `${answer.fixed}${answer.typed}`
    const kept = word.endsWith(replaced) ? word.slice(0, word.length - replaced.length) : ''
    const fixed = answer.fixed.slice(kept.length)
    const found = answer.files
      ? {files: answer.typed, fixed, words: []}
      : {files: null, fixed, words: matching(answer).map((candidate) => toResult(fixed, candidate))}
    return `${JSON.stringify(found).replaceAll(/[^ -~]/gu, toEscape)}\n` // ASCII, whatever the code page of the console
  },
}

function toResult(fixed: string, {value, about = ''}: Candidate): {text: string; shown: string; about: string} {
  return {text: quote(`${fixed}${value}`), shown: value, about: toPlainLine(about) || value}
}

function quote(text: string): string {
  return /^[\w./:=+,-]+$/.test(text) ? text : quoted(text)
}

/** PowerShell knows several single quotes, and each must be doubled. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}

function toEscape(letter: string): string {
  return [...Array(letter.length).keys()]
    .map((place) => `\\u${letter.charCodeAt(place).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Windows would give a file of JavaScript to another program than Node. */
function script({program, node}: Place): string {
  const [first = '', ...before] = node === undefined ? [program] : [node, program]
  return `# Completion of vendorctl in PowerShell. Runs vendorctl alone, and nothing else from the line.
Register-ArgumentCompleter -Native -CommandName 'vendorctl', 'vendorctl.cmd', 'vendorctl.ps1' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $program = 'vendorctl'
  $before = @()
  if (-not (Get-Command $program -ErrorAction SilentlyContinue)) {
    $program = ${quoted(first)}
    $before = @(${before.map(quoted).join(', ')})
  }
  $words = @()
  $current = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.StartOffset -gt $cursorPosition) { break }
    $isString = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
    $text = if ($isString) { $element.Value } else { $element.Extent.Text }
    if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $text } else { $current = $text }
  }
  $json = ConvertTo-Json -Compress -InputObject @(@($words) + @($current, $wordToComplete))
  $line = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($json))
  $answer = & $program @before __complete powershell $line 2>$null | Out-String | ConvertFrom-Json
  if ($null -eq $answer) { return }
  if ($null -ne $answer.files) {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($answer.files) | ForEach-Object {
      $text = $answer.fixed + $_.CompletionText
      [System.Management.Automation.CompletionResult]::new($text, $_.ListItemText, $_.ResultType, $_.ToolTip)
    }
    return
  }
  foreach ($word in $answer.words) {
    [System.Management.Automation.CompletionResult]::new($word.text, $word.shown, 'ParameterValue', $word.about)
  }
}
`
}
