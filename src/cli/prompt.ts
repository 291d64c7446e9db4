import {CliFailure} from '../errors.js'

/** Asks for a hidden value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askSecret(message: string): Promise<string> {
  const {password, isCancel} = await import('@clack/prompts')
  const answer = await password({message, output: process.stderr})
  if (isCancel(answer)) throw cancelled()
  return answer ?? ''
}

/** Asks for a visible value on the terminal. Throws `interrupted` on Ctrl-C. */
export async function askText(message: string): Promise<string> {
  const {text, isCancel} = await import('@clack/prompts')
  const answer = await text({message, output: process.stderr})
  if (isCancel(answer)) throw cancelled()
  return answer ?? ''
}

/** Asks yes or no on the terminal; no is the default. Throws `interrupted` on Ctrl-C. */
export async function askConfirmation(message: string): Promise<boolean> {
  const {confirm, isCancel} = await import('@clack/prompts')
  const answer = await confirm({message, initialValue: false, output: process.stderr})
  if (isCancel(answer)) throw cancelled()
  return answer
}

/** Whether somebody is there to answer. */
export function canAsk(noInput: boolean): boolean {
  return !noInput && process.stdin.isTTY === true && process.stderr.isTTY === true
}

function cancelled(): CliFailure {
  return new CliFailure('Stopped at the prompt.', {code: 'SIGINT', exit: 'interrupted', retry: 'safe'})
}
