package hostinfo

func (i *Info) addHost() {
	fsys := root()
	i.OS = osName(readText(fsys, "etc/os-release"), readText(fsys, "usr/lib/os-release"), readText(fsys, "proc/sys/kernel/osrelease"))
	i.CPUModel = cpuModel(readText(fsys, "proc/cpuinfo"))
	i.MemoryBytes = memTotal(readText(fsys, "proc/meminfo"))
	i.ContainerCPUs, i.ContainerBytes = containerLimits(fsys)
}
