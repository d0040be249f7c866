# gantry: get-local-folder
# Where Windows keeps the local data of this user. Reads only.
@{ path = [Environment]::GetFolderPath('LocalApplicationData') }
