# Completion of vendorctl in fish. Runs vendorctl alone, and nothing else from the line.
function __vendorctl_complete
    set -l program vendorctl
    command -sq vendorctl; or set program '/opt/vendorctl/bin/run.js'
    set -l words (commandline -opc)
    set -l answer (command $program __complete fish $words[2..-1] (commandline -ct | string collect) 2>/dev/null </dev/null)
    if test "$answer[1]" = words
        string join -- \n $answer[2..-1]
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
