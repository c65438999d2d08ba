module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<6xi32>, %arg2: tensor<16x1xi32>, %arg3: tensor<16x4xf64>, %arg4: tensor<6x4xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[[2.0409191213851825, -2.5556650313141818, 0.41809884672577885, -0.56776960612792982], [-0.45264929211044586, -0.2155971630897659, -2.019986129147251, -0.23193237764418947], [-0.86521307627494171, 3.3229995166448827, 0.22578661322792176, -0.35263079434159539]]> : tensor<3x4xf64>
    %cst_0 = stablehlo.constant dense<[[-0.28128741815135039, -0.66804634610895008, -1.0551505512051214, -0.39080097723465473], [0.48194538850678587, -0.23855360657336669, 0.95775870295976406, -0.19980212906657999], [0.024259565076664623, 1.545820851212812, 0.54510552268764456, -0.50522873561401804], [-0.1828389745977349, 0.5405251317548021, 1.9350880340988528, -0.26962032734191349], [-0.24355867907910456, 1.0023136012756912, -0.88645994316058707, -0.291720232439864], [0.88253896745648386, 0.5803500161908991, 0.091516703282352188, 0.67010435482847941]]> : tensor<6x4xf64>
    %cst_1 = stablehlo.constant dense<[-2.8281623068437627, 1.0213068175000799, -0.95964475980814167, -1.6686198426559695, 0.27644575952099965, 0.70054488534939008]> : tensor<6xf64>
    %cst_2 = stablehlo.constant dense<[[-0.44476745568278409], [-1.0764058401008076], [0.026124833534033623], [-0.052747308242879272], [1.4055981660180925], [0.74740798747935044], [0.19381564626462], [1.1116332052239921], [-0.20552304990579248], [-0.92589957364836806], [0.58405831102524797], [0.58253841865569012], [-0.21482891112685579], [-0.78280857796396619], [0.22915390521326254], [-2.4938942784579905]]> : tensor<16x1xf64>
    %cst_3 = stablehlo.constant dense<[[0.69012477016281204, 0.49136826074499118, -1.6388571438904884, 0.061353509838171588], [-0.96409966354124044, 0.75722104475815044, -2.034167273443428, -0.91449453799458869], [0.70957998774206754, 1.156401048432157, -2.158005380126208, -0.49803984475130336], [0.32802009254257697, -0.60921613794987062, 1.5906402313231438, -1.1912266816177808], [0.35453194628692603, -1.0484055185445111, 1.4059629431348852, -0.021651229055558368], [-0.3722505640006159, -1.7181849497326165, 1.6818255450666806, 0.75277859269738756]]> : tensor<6x4xf64>
    %cst_4 = stablehlo.constant dense<[[0.75356383750936196, 1.1378812589177814, 0.34922657812302932, -0.63924661057642118], [-0.80024122703010181, -0.80019997936100495, 1.3700723413337117, -1.4603812011954127], [-0.59636951177078878, -0.32124391928619556, 0.22461902534909414, 0.57534938850780892], [-1.2490970090955427, -1.730013451272522, -0.0044142326219674868, 1.2135638252860816], [0.75705805929652426, 0.21565078369996044, -0.31715564401735519, 0.29323369580022463], [-0.24333508574217566, 0.81720658049259498, -0.7944473388868819, 0.13423994708633882], [-0.11078013611159404, 0.54335938953015239, 0.22463852364937692, 2.5500346363079061], [1.498654758135483, 1.4967371655185107, -2.0395038375946424, -0.34031662470237728], [-0.60861061591292986, 0.53272159988903922, -2.2790264890553269, 1.1744986790091876], [1.0669833108953142, -1.3020708582457947, -0.97854852862141272, -0.80117201078118161], [0.043295900283144985, 0.64097106468947107, 2.0478860553573326, -0.19744542988767094], [0.76750255890361951, 0.15541781005943467, 1.7599262839082537, 0.74215786121156879], [1.3685504508744795, -1.0776751897834627, -0.19224071152595104, -0.81377242184204046], [1.5049474040083073, 0.65763990381777282, -0.3051444257775161, -0.45246788707040142], [0.48466487820670151, -0.70149553017955346, -0.93058887621215547, 0.48127449227153229], [2.4631320321052259, -0.24613355406481327, -0.55586578079355453, -1.1711568340255429]]> : tensor<16x4xf64>
    %cst_5 = stablehlo.constant dense<[[-1.3350109575593827, 0.52498323456422602, 0.85080303277855251, 0.0091747208824901998], [0.33257598867620841, 0.11591657750710396, 0.13865484604722084, -1.5261590525828475], [-0.45811827304922115, 0.11147930758994773, -0.78316678056368538, -0.47642974385981746], [-0.81912018032773448, -0.33349667419844131, 0.85310827432513592, -0.40658035065559817], [-0.15387068019710476, 0.81371835943811799, 0.64477021415691627, 1.6952075589596332], [-2.0904850781285882, 0.85685894452310596, -0.48228408677308221, 0.13469181881788084], [0.83771938489906395, 1.0832531556913447, 1.0393506903088359, 0.15510669107825276], [1.6096626830183138, -0.28297422721613669, -0.14098191307078672, 0.79935118889408618], [-0.55137240798046372, 2.1609062587012469, 1.0192065653546221, 2.1755753226203938], [-0.026589187155779802, -0.38308855026130717, 0.16704800216692559, 0.73457650260619067], [-0.58742768687401148, 0.37970174697244741, -0.016804278920834258, 1.6156817605764437], [-0.66270181230086567, 1.046161771728719, -0.64386353554000875, -0.96063419310742237], [-0.71029942737562324, -1.1901858618422472, 0.14635036006645211, 1.0312607960786646], [0.16431487853479829, 0.62432511218487563, 1.6321741955751323, 0.27002644717885166], [0.19516236096309458, -0.27506146796027464, -1.6082422850112825, 0.75973893186808372], [-1.7564604476259789, 0.65267643638382811, -0.014320335733954404, 1.1267814508104348]]> : tensor<16x4xf64>
    %cst_6 = stablehlo.constant dense<[[-0.067770260510462005, -0.82320015795766687, 0.35791026675258591, -0.56023613570812614], [-0.1809568246618137, 0.041870786862000298, -0.13454971174566932, -0.18880227497381663], [-0.83244498828705127, -0.18913378409281006, -2.13834060712102, -0.15733209522523053], [-1.198055985931922, 1.1202636903470218, 1.2699267473212534, -1.9510257805212561], [0.14491679036588978, -0.12636392216675604, -1.0467156300808687, 0.53165314264899932], [-0.46168954465474565, -1.7675990956866041, -0.26667665205696778, -0.14825311830009477], [0.10643101824147437, -1.2312329987327657, 0.61568092692158938, 0.73545708819889155], [-1.1458272768549103, -0.65885556898317654, -0.08033731382935666, -0.56592532701236642], [1.7437546098496857, 0.20837211615824647, -1.0105820363541991, -0.78810892762478212], [-0.057470258255720989, 2.2957788082586084, -0.17826432182306642, 0.12747641923980615], [0.51404537815817553, -0.0401259362630417, 2.2806608725667079, -0.53152494702516018], [0.7442031251457859, 0.16043796898357113, 0.62119637321641663, -1.1766429584197382], [1.768112695107191, -0.12152750716346146, 0.034163262067516111, -0.93497626186875016], [-0.72969526818324937, 0.56423943316803082, 0.98649988611067951, 0.7532546907537343], [1.2089702496885697, 0.7144889121895972, 0.028461833356851689, 0.83652598944451339], [0.59360324040797885, -0.10057526654145102, 0.72607271854016797, 1.2856973945290691]]> : tensor<16x4xf64>
    %cst_7 = stablehlo.constant dense<[[0.23457132393419991, -0.35620509743082307, 0.71871137296132181, 1.9007217378325845]]> : tensor<1x4xf64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<16> : tensor<i32>
    %1 = stablehlo.add %arg0, %c_8 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg0 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg3, %2, %c_9, sizes = [3, 4] : (tensor<16x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %5 = stablehlo.compare LT, %arg1, %4, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_11 = stablehlo.constant dense<16> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %7 = stablehlo.add %arg1, %6 : tensor<6xi32>
    %8 = stablehlo.select %5, %7, %arg1 : tensor<6xi1>, tensor<6xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %10 = "stablehlo.gather"(%arg3, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf64>, tensor<6x1xi32>) -> tensor<6x4xf64>
    %11 = stablehlo.slice %arg2 [0:6, 0:1] : (tensor<16x1xi32>) -> tensor<6x1xi32>
    %12 = stablehlo.reshape %11 : (tensor<6x1xi32>) -> tensor<6xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %14 = stablehlo.compare LT, %arg1, %13, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_13 = stablehlo.constant dense<16> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %16 = stablehlo.add %arg1, %15 : tensor<6xi32>
    %17 = stablehlo.select %14, %16, %arg1 : tensor<6xi1>, tensor<6xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %19 = stablehlo.compare LT, %12, %18, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_15 = stablehlo.constant dense<4> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %21 = stablehlo.add %12, %20 : tensor<6xi32>
    %22 = stablehlo.select %19, %21, %12 : tensor<6xi1>, tensor<6xi32>
    %23 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %25 = stablehlo.concatenate %23, %24, dim = 1 : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
    %26 = "stablehlo.gather"(%arg3, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<16x4xf64>, tensor<6x2xi32>) -> tensor<6xf64>
    %27 = call @take_along_axis(%arg3, %arg2) : (tensor<16x4xf64>, tensor<16x1xi32>) -> tensor<16x1xf64>
    %28 = call @_take(%arg3, %arg1) : (tensor<16x4xf64>, tensor<6xi32>) -> tensor<6x4xf64>
    %29 = stablehlo.slice %arg4 [0:2, 0:3] : (tensor<6x4xf64>) -> tensor<2x3xf64>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.compare LT, %arg0, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_17 = stablehlo.constant dense<16> : tensor<i32>
    %31 = stablehlo.add %arg0, %c_17 : tensor<i32>
    %32 = stablehlo.select %30, %31, %arg0 : tensor<i1>, tensor<i32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %33 = stablehlo.dynamic_update_slice %arg3, %29, %32, %c_18 : (tensor<16x4xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<16x4xf64>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %35 = stablehlo.compare LT, %arg1, %34, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_20 = stablehlo.constant dense<16> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %37 = stablehlo.add %arg1, %36 : tensor<6xi32>
    %38 = stablehlo.select %35, %37, %arg1 : tensor<6xi1>, tensor<6xi32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %40 = "stablehlo.scatter"(%arg3, %39, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %76 = stablehlo.add %arg5, %arg6 : tensor<f64>
      stablehlo.return %76 : tensor<f64>
    }) : (tensor<16x4xf64>, tensor<6x1xi32>, tensor<6x4xf64>) -> tensor<16x4xf64>
    %41 = stablehlo.slice %arg4 [0:1, 0:4] : (tensor<6x4xf64>) -> tensor<1x4xf64>
    %42 = stablehlo.reshape %41 : (tensor<1x4xf64>) -> tensor<4xf64>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.compare LT, %arg0, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_22 = stablehlo.constant dense<16> : tensor<i32>
    %44 = stablehlo.add %arg0, %c_22 : tensor<i32>
    %45 = stablehlo.select %43, %44, %arg0 : tensor<i1>, tensor<i32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %47 = "stablehlo.scatter"(%arg3, %46, %42) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      stablehlo.return %arg6 : tensor<f64>
    }) : (tensor<16x4xf64>, tensor<1xi32>, tensor<4xf64>) -> tensor<16x4xf64>
    %48 = call @dynamic_index_in_dim(%arg3, %arg0) : (tensor<16x4xf64>, tensor<i32>) -> tensor<1x4xf64>
    %49 = stablehlo.multiply %3, %cst : tensor<3x4xf64>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %50 = stablehlo.reduce(%49 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %51 = stablehlo.add %cst_24, %50 : tensor<f64>
    %52 = stablehlo.multiply %10, %cst_0 : tensor<6x4xf64>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %53 = stablehlo.reduce(%52 init: %cst_25) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x4xf64>, tensor<f64>) -> tensor<f64>
    %54 = stablehlo.add %51, %53 : tensor<f64>
    %55 = stablehlo.multiply %26, %cst_1 : tensor<6xf64>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %56 = stablehlo.reduce(%55 init: %cst_26) applies stablehlo.add across dimensions = [0] : (tensor<6xf64>, tensor<f64>) -> tensor<f64>
    %57 = stablehlo.add %54, %56 : tensor<f64>
    %58 = stablehlo.multiply %27, %cst_2 : tensor<16x1xf64>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %59 = stablehlo.reduce(%58 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x1xf64>, tensor<f64>) -> tensor<f64>
    %60 = stablehlo.add %57, %59 : tensor<f64>
    %61 = stablehlo.multiply %28, %cst_3 : tensor<6x4xf64>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %62 = stablehlo.reduce(%61 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x4xf64>, tensor<f64>) -> tensor<f64>
    %63 = stablehlo.add %60, %62 : tensor<f64>
    %64 = stablehlo.multiply %33, %cst_4 : tensor<16x4xf64>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %65 = stablehlo.reduce(%64 init: %cst_29) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf64>, tensor<f64>) -> tensor<f64>
    %66 = stablehlo.add %63, %65 : tensor<f64>
    %67 = stablehlo.multiply %40, %cst_5 : tensor<16x4xf64>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %68 = stablehlo.reduce(%67 init: %cst_30) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf64>, tensor<f64>) -> tensor<f64>
    %69 = stablehlo.add %66, %68 : tensor<f64>
    %70 = stablehlo.multiply %47, %cst_6 : tensor<16x4xf64>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %71 = stablehlo.reduce(%70 init: %cst_31) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf64>, tensor<f64>) -> tensor<f64>
    %72 = stablehlo.add %69, %71 : tensor<f64>
    %73 = stablehlo.multiply %48, %cst_7 : tensor<1x4xf64>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %74 = stablehlo.reduce(%73 init: %cst_32) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x4xf64>, tensor<f64>) -> tensor<f64>
    %75 = stablehlo.add %72, %74 : tensor<f64>
    return %75 : tensor<f64>
  }
  func.func private @take_along_axis(%arg0: tensor<16x4xf64>, %arg1: tensor<16x1xi32>) -> tensor<16x1xf64> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16x1xi1>, tensor<16x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x1xi32>) -> tensor<16x1x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x1x1xi32>, tensor<16x1x1xi32>) -> tensor<16x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x1x1xi32>, tensor<16x1x1xi32>) -> tensor<16x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<16x1x1xi1>, tensor<i1>) -> tensor<16x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<16x4xf64>, tensor<16x1x1xi32>) -> tensor<16x1xf64>
    %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<16x1xf64>
    %15 = stablehlo.select %12, %13, %14 : tensor<16x1xi1>, tensor<16x1xf64>
    return %15 : tensor<16x1xf64>
  }
  func.func private @_take(%arg0: tensor<16x4xf64>, %arg1: tensor<6xi32>) -> tensor<6x4xf64> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<16x4xf64>, tensor<6x1xi32>) -> tensor<6x4xf64>
    return %1 : tensor<6x4xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x4xf64>, %arg1: tensor<i32>) -> tensor<1x4xf64> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, sizes = [1, 4] : (tensor<16x4xf64>, tensor<i32>, tensor<i32>) -> tensor<1x4xf64>
    return %3 : tensor<1x4xf64>
  }
}
